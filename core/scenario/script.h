// Script: a scenario after parsing, before anything is sent: settings, and one
// Statement a line. The parser makes it, the Stage plays it. Whatever the text
// left out is unset here; the Stage knows the defaults.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rdma/op.h"
#include "rpcrdma/config.h"
#include "rpcrdma/private_data.h"
#include "rpcrdma/rpc.h"
#include "rpcrdma/v1.h"
#include "rpcrdma/v2.h"
#include "scenario/scenario.h"
#include "scenario/tunnel.h"
#include "scenario/values.h"

namespace steertag::scenario {

using rdma::Side;

constexpr Side kClient = Side::a;
constexpr Side kServer = Side::b;

// --- memory and chunks ---

struct SegmentSpec {  // "4096", "0x8f01:4096", "0x8f01:4096@0x10000", "*"
  std::optional<uint32_t> handle;
  std::optional<uint32_t> length;  // unset: what is left of the data
  std::optional<uint64_t> offset;
};

struct ChunkSpec {
  enum class Kind : uint8_t { read, write, reply };
  Kind kind = Kind::read;
  std::string name;                  // of "@name"; empty for a chunk without one
  std::optional<uint32_t> position;  // read; unset: where the data belongs
  std::vector<SegmentSpec> segments;
  bool none = false;  // write(none), reply(none): leave the list empty

  bool whole_message() const { return kind == Kind::read && position == 0u; }
};

// What a line points at: "@data", "@data.2", "0x8f01", "0x8f01:4096@0x10000".
struct Target {
  std::string chunk;     // named chunk; empty: `memory`
  uint32_t segment = 0;  // 1-based; 0: the whole chunk
  SegmentSpec memory;
};

// --- overrides ---

struct FieldPatch {  // rdma_credit=0, handle#2=0xdead0001
  std::string name;
  uint32_t occurrence = 1;  // 1-based
  uint64_t value = 0;
};

struct OctetsPatch {  // set(16 00000002)
  uint32_t offset = 0;
  std::vector<uint8_t> octets;
};

struct Surgery {
  std::vector<FieldPatch> fields;
  std::vector<OctetsPatch> octets;
  std::optional<uint32_t> cut;  // keep that many bytes
  std::vector<uint8_t> append;  // after the cut
};

// --- RPC ---

enum class Family : uint8_t { nfs3, nfs4, callback, acl, config, other };

struct Procedure {
  Family family = Family::nfs3;
  uint32_t program = 100003, version = 3, procedure = 0;
  std::vector<uint32_t> operations;  // COMPOUND, CB_COMPOUND
  uint32_t minor = 1;                // of these
};

// What operations about sessions say.
struct SessionSpec {
  uint32_t id = 11;              // stands for the sessionid4
  std::optional<uint32_t> said;  // csa_flags, csr_flags, bctsa_dir, bctsr_dir
  uint32_t status_flags = 0;     // sr_status_flags of SEQUENCE (RFC 8881 §18.46.3)
};

struct RpcSpec {
  std::optional<Procedure> procedure;           // Call
  std::optional<uint32_t> data;                 // bytes of the bulk item: file data, path, directory entries
  std::optional<uint32_t> size;                 // bytes of the whole message, cut or filled with zeros
  std::optional<std::vector<uint8_t>> payload;  // instead of everything
  rpcrdma::Flavor flavor = rpcrdma::Flavor::none;
  rpcrdma::GssService service = rpcrdma::GssService::none;
  uint32_t status = 0;                // Reply: nfsstat of the (last) operation
  uint32_t accept_stat = 0;           // Reply
  std::optional<uint32_t> auth_stat;  // Reply: denied with this
  SessionSpec session;
  std::vector<FieldPatch> fields;                  // rpc.xid=5
  rpcrdma::config::Request asked{4096, 4096, 16};  // CONF_RDMA: its arguments, its results
  rpcrdma::config::Reply settled{4096, 4096, 16};
};

// --- lines ---

struct MessageLine {
  enum class What : uint8_t { call, reply, error, done, optional, raw };
  What what = What::call;
  std::optional<uint32_t> xid, version, credit;
  std::optional<bool> inlined;                  // msg, nomsg
  std::optional<rpcrdma::v1::Padding> padding;  // msgp
  bool unpadded = false;                        // ... whose pad is left out
  bool pad_by_rpc = false;  // ... or counted from the start of the RPC message, not of the Send
  std::vector<ChunkSpec> chunks;
  std::optional<Target> inv;         // version two: rdma_inv_handle
  std::optional<Target> invalidate;  // Send With Invalidate of this handle
  bool invalidate_default = false;   // ... of the one that the Call allows
  bool plain = false;                // never with Invalidate
  bool solicited = false;
  bool immediate = false;
  RpcSpec rpc;
  uint32_t error_code = 0;  // error; with the fields that go with it:
  rpcrdma::v2::Error error;
  std::optional<rpcrdma::v1::Error::Extra> extra;  // version one, codes other than vers and chunk
  rpcrdma::v2::Optional optional;  // or, on a Call or Reply, what conveys it instead of RDMA2_MSG
  bool by_option = false;
  std::vector<uint8_t> raw;
  Surgery surgery;
  bool serve = false;  // Reply: pull and push what the Call asks for first
};

struct OperationLine {
  bool read = false;               // RDMA Read, else RDMA Write
  std::optional<Target> target;    // unset: all that the open Call advertises
  std::optional<uint32_t> length;  // bytes; unset: what makes sense
  uint32_t skip = 0;               // bytes from the target's start
  std::optional<uint32_t> handle;  // overrides of what the target says
  std::optional<uint64_t> offset;
  std::optional<uint32_t> deliver;  // read: bytes that really come back
  std::optional<uint32_t> xid;      // which Call, where there is no target
  bool immediate = false;
};

// One end's private data, RFC 8797; `octets` instead of it where set.
struct PrivateSpec {
  bool present = true;
  rpcrdma::PrivateData block{
      .present = true, .version = 1, .remote_invalidation = true, .send_size = 4096, .receive_size = 4096};
  std::optional<std::vector<uint8_t>> octets;
};

// A connection and how it is set up; a later `connect` starts from what the
// earlier lines said.
struct ConnectionSpec {
  std::string name;
  std::array<uint32_t, 2> address{0x0A000001, 0x0A000002};  // IPv4; IPv6: fd00::/96 in front of it
  std::array<uint32_t, 2> qpn{0x11, 0x12};
  std::array<uint32_t, 2> psn{0x100, 0x200};     // first one that each end sends
  std::array<uint32_t, 2> sequence{1000, 5000};  // TCP: the same, before the SYN
  uint16_t port = 20049, source_port = 0;
  std::optional<uint32_t> comm;   // RoCE: the same Communication IDs for all that have it; unset: new ones
  uint32_t mtu = 1024;            // RoCE: of the packets of both ends ...
  uint32_t path_mtu = 0;          // ... and what the REQ says of it; 0: the same
  uint32_t mss = 1440;            // TCP
  std::array<uint8_t, 2> dscp{};  // of the packets that each end sends
  uint32_t resegment = 0;         // TCP: cut the stream every so many bytes; 0: at FPDUs
  std::array<std::optional<uint32_t>, 2> depth{16, 16};  // RDMA Reads: may start and can serve
  std::array<PrivateSpec, 2> private_data;
  std::array<bool, 2> unfilled{};  // RoCE: captured on that end's host, before the ICRC is filled in
  std::array<bool, 2> markers{};   // MPA: wanted in what that end receives
  bool crc = true;
  uint8_t revision = 2;
  enum class Rtr : uint8_t { none, send, write, read } rtr = Rtr::none;
  // What becomes of the REQ, or of SYN and MPA Request. Refused: by a REJ that knows no such service, or a
  // RST. Silent: a TCP connection comes up, and the MPA Request has no answer; of RoCE as none.
  enum class Answer : uint8_t { accepted, rejected, refused, silent, none } answer = Answer::accepted;
  uint16_t reject_reason = 28;  // of the REJ where rejected: IBTA vol. 1, §12.6.7.2
  std::optional<uint8_t> mra;   // RoCE: an MRA comes before the answer, with this service timeout

  bool rejected() const { return answer == Answer::rejected; }
};

struct ConnectLine {
  ConnectionSpec spec;
};
struct DisconnectLine {
  bool reset = false;  // TCP RST; RoCE: silence
};

enum class Complaint : uint8_t { sequence, invalid_request, remote_access, remote_operational, rnr };

struct ComplaintLine {
  Complaint complaint = Complaint::remote_access;
  struct Terminate {
    uint8_t layer, etype, code;
  };
  std::optional<Terminate> terminate = {};  // iWARP; unset: what corresponds to the error
  // RoCE: the one that the error is about; unset: the newest one received.
  std::optional<uint32_t> psn = {};
  // iWARP: in the header that the error is about; unset: of the newest one.
  std::optional<uint32_t> handle = {};
};
// An acknowledgment that nothing calls for; nothing on iWARP. Unset: of what was received last.
struct AckLine {
  std::optional<uint32_t> psn;
};
struct SlowDownLine {};  // a CNP; nothing on fabrics that have none
// Pause frames of one priority (IEEE 802.1Qbb), from that end's port.
struct PauseLine {
  uint8_t priority = 3;
  uint16_t quanta = 0xFFFF;  // in units of 512 bit times; 0: go on
};
struct RoomLine {  // a TCP window of zero, or one of its usual size again; nothing on other fabrics
  bool room = true;
};
// An ICMP error about the latest packet of the peer; nothing where there is no IP.
struct IcmpLine {
  enum class Kind : uint8_t { network, host, protocol, port, too_big, prohibited, time } kind = Kind::port;
  uint32_t by = 0;      // IPv4 address of a router that sends it; 0: the speaker
  uint32_t mtu = 0;     // bytes
  uint32_t quotes = 0;  // bytes behind the IP header; 0: as many as usual
  bool bad_checksum = false;
};
struct WaitLine {
  int64_t ns = 0;
};
struct PaceLine {  // the time between lines from here on
  int64_t ns = 0;
};
struct CaptureLine {
  std::array<bool, 2> of{true, true};  // whose packets are in the capture, by Side
};

// --- what happens to the packets of a line ---

struct PacketPatch {
  bool iwarp = false;   // else RoCE
  uint32_t packet = 0;  // 1-based; 0: the first one that has the field
  std::variant<FieldPatch, OctetsPatch> patch;
};

using Numbers = std::vector<NumberRange>;  // of packets of the line, from 1

struct Delay {
  uint32_t packet = 0;  // 1-based; 0: the first that is sent again
  int64_t ns = 0;       // so much later, and with it all that follow
};

inline bool contains(const Numbers& numbers, uint32_t n) {
  return std::any_of(numbers.begin(), numbers.end(),
                     [=](const NumberRange& range) { return n >= range.first && n <= range.last; });
}

struct Handling {
  Numbers omit;                      // never sent; what follows takes their place
  Numbers missing;                   // sent and received, but not in the capture
  Numbers lost;                      // lost before the tap, and retransmitted
  Numbers resent;                    // lost behind the tap, and retransmitted
  Numbers dup;                       // captured twice
  Numbers swap;                      // captured after the one that follows
  Numbers bad_checksum;              // wrong ICRC or MPA CRC
  Numbers marked;                    // by the network: ECN's CE
  std::optional<uint32_t> truncate;  // bytes kept of each frame
  bool acknowledge = true;
  std::optional<Complaint> complaint;  // instead of an ACK
  std::optional<uint8_t> rnr_timer;    // ... its timer field, where it is an RNR NAK ...
  uint32_t rnr_times = 1;              // ... and how many of them come before there is room
  bool again = false;                  // at the place of this side's previous line, not after it
  std::vector<PacketPatch> patches;
  std::vector<Delay> delays;

  bool plain() const {
    return omit.empty() && missing.empty() && lost.empty() && resent.empty() && dup.empty() && swap.empty() &&
           bad_checksum.empty() && marked.empty() && !truncate && acknowledge && !complaint && !again &&
           patches.empty() && delays.empty();
  }
};

struct Statement;
struct BurstLine {  // several lines acknowledged, lost and resent as one
  std::vector<Statement> lines;
};

struct Statement {
  uint32_t line = 0;
  uint32_t connection = 0;  // index in Script::connections
  Side from = kClient;
  Handling handling;
  std::variant<MessageLine, OperationLine, ConnectLine, DisconnectLine, ComplaintLine, AckLine, SlowDownLine,
               PauseLine, RoomLine, IcmpLine, WaitLine, PaceLine, CaptureLine, BurstLine>
      action;
};

enum class Taps : uint8_t { one, one_way, both };

struct Script {
  Fabric fabric = Fabric::roce2;
  bool ipv6 = false;
  uint32_t version = 1;
  uint32_t credits = 32;
  std::optional<uint16_t> vlan;
  std::vector<Tunnel> tunnels;  // the innermost first
  std::optional<uint32_t> snaplen;
  Taps taps = Taps::one;
  int64_t skew_ns = 500'000;
  std::vector<ConnectionSpec> connections;  // as they are when the scenario begins
  std::vector<Statement> statements;
  std::vector<Expectation> expectations;
};

}  // namespace steertag::scenario
