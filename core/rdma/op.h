// What both RDMA transports are reduced to: pieces of Sends, RDMA Writes, RDMA
// Read Requests and Read Responses, in the order in which the receiver accepts
// them, each exactly once. There is no RoCE and no iWARP in here: PSNs, STags of
// Read sinks, duplicates and go-back-N are settled before a piece gets this far.
//
// A piece is one RoCE packet or one DDP segment. Its views are good until the
// call that delivers it returns.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.h"
#include "frame.h"

namespace steertag::rdma {

// One end of a connection; `a` is the sender of its first frame. Who is the
// client is another question: track::Connection::client.
enum class Side : uint8_t { a, b };

constexpr Side other(Side side) {
  return side == Side::a ? Side::b : Side::a;
}
constexpr size_t index(Side side) {
  return static_cast<size_t>(side);
}

enum class Transport : uint8_t { roce1, roce2, infiniband, iwarp };

enum class OpKind : uint8_t {
  send,
  write,
  read_request,
  read_response,
  other,  // atomics, FLUSH, ATOMIC WRITE, RDMAP Immediate: RPC-over-RDMA uses none of them
};

// A stretch of registered memory: R_Key or STag, virtual address or tagged
// offset of the first byte, length in bytes.
struct Memory {
  uint32_t handle = 0;
  uint64_t offset = 0;
  uint32_t length = 0;
};

struct RdmaOp {
  OpKind kind = OpKind::send;
  Side from = Side::a;  // who sent this piece; Read Responses come from the owner of the memory

  // Counts the operations that one side started on this connection, from 1.
  // All pieces of an operation share it; a Read Response carries the id of the
  // Read Request that it answers (the other side's count), 0 where that Request
  // is not in the capture.
  uint64_t id = 0;
  bool first = true;  // the piece opens its operation (Send, Write: First/Only; MO 0)
  bool last = true;   // the piece ends it (Last/Only; DDP L bit)

  // Send: where the piece stands in the Send, bytes.
  uint32_t message_offset = 0;
  // Write: what the piece fills. Read Request: the whole source. Read Response:
  // the source bytes that this piece delivers. `length` is the piece's own.
  Memory memory;
  // Write, first piece on RoCE: the length that the RETH announces for the whole Write.
  std::optional<uint32_t> announced_length;
  std::optional<uint32_t> invalidate;  // Send With Invalidate: the handle (on the last piece)
  bool solicited = false;
  bool immediate = false;
  bool unreceived = false;  // sent after the connection's end had been asked for, and never acknowledged

  // Where the piece ends in what `from` has sent, in the order in which the peer accepts it, without
  // wrapping: bytes of a TCP stream; RoCE: packets, a Read Response among those of the peer (Late::of_reads).
  uint64_t end_position = 0;

  Bytes payload;                // captured bytes, a prefix of what was on the wire
  uint32_t payload_length = 0;  // bytes on the wire, without pad, ICRC and CRC

  // The frames that carried the piece's first good copy, in capture order.
  std::span<const Stamp> frames;
};

// What the receiver of a connection's setup learned (CM REQ and REP, MPA
// Request and Reply). Each half is present only where it was captured.
struct SetupHalf {
  bool seen = false;
  bool private_data_whole = false;  // false where the snaplen cut it
  Bytes private_data;               // consumer's part where it can be distinguished, else everything
  // RDMA Read depths: what this side may start, and what it can serve; unset
  // where not negotiated (0x3FFF, RFC 6581 §9).
  std::optional<uint32_t> initiator_depth;
  std::optional<uint32_t> responder_resources;
};

enum class EndReason : uint8_t { disconnect, reject, fin, reset, terminate, replaced };

// The frames of one operation, the first copy of each: from this one to that one.
struct OpFrames {
  Stamp first, last;
};

// A complaint of a receiver: RoCE NAK and RNR NAK, iWARP Terminate.
struct Fault {
  enum class Kind : uint8_t {
    nak_sequence,
    nak_invalid_request,
    nak_remote_access,
    nak_remote_operational,
    rnr,
    terminate
  };
  Kind kind = Kind::nak_sequence;
  Side from = Side::a;              // who complains
  uint32_t psn = 0;                 // RoCE: the PSN complained of ...
  uint64_t place = 0;               // ... the same as RdmaOp::end_position counts ...
  std::optional<OpFrames> refused;  // ... and the operation it belongs to, where that is remembered
  // iWARP: RFC 5040 §4.8. RoCE: `code` is that of the NAK, or the timer field of the RNR NAK.
  uint8_t layer = 0, etype = 0, code = 0;
  // Terminate for a CRC error: the peer's latest FPDU whose CRC is wrong as captured. Or all are right, or
  // some could not be checked.
  // RoCE, a NAK that ends the connection: the packet that it refuses, where its ICRC is wrong as captured.
  struct WrongCrc {
    uint32_t computed = 0, carried = 0;
    Stamp at;
  };
  std::optional<WrongCrc> wrong_crc;
  bool crcs_seen = false;  // others are right: the adapter had filled them in where they were captured
  bool crcs_right = false;
  bool crcs_cut = false;         // some FPDUs were not captured whole
  bool of_invalidation = false;  // RoCE: that PSN ended the latest Send With Invalidate
  std::optional<Memory> memory;  // iWARP: from the terminated header, where included
  Stamp at;
};

// Something that a receiver may have been waiting for: it was sent again, or was seen only after what follows
// it.
struct Late {
  Side from = Side::a;
  // RoCE: a Read Response, or what is acknowledged by one: it has its place among what the peer sent.
  bool of_reads = false;
  uint64_t begin = 0;       // where it begins, as RdmaOp::end_position counts ...
  uint64_t end = 0;         // ... and ends: RoCE counts packets, a Read Request as one
  uint32_t number = 0;      // of `begin`: PSN or TCP sequence number
  uint32_t bytes = 0;       // of its payload, on the wire
  bool again = false;       // a copy of it was seen before
  bool asks = false;        // RoCE: an RDMA Read Request ...
  uint64_t asks_until = 0;  // ... for Responses before that place; 0: for none, as far as is known
  // Of a Read Response: the one that came in front of it; UINT64_MAX: that is not remembered.
  uint64_t previous = UINT64_MAX;
  // Since when it may have been waited for: its first copy, or the first of what follows it; unset where that
  // is not remembered.
  std::optional<Stamp> since;
  Stamp at;
};

// What asks for the connection was sent again: a REQ of the CM, or a SYN.
struct SetupAgain {
  Side from = Side::a;
  uint32_t number = 0;  // PSN, or TCP sequence number
  uint32_t bytes = 0;   // of its payload
  Stamp first, before;  // the first copy, and the one before this ...
  Stamp at;
  // ... and the last before an answer came. Unset: this one came after the answer.
  std::optional<Stamp> accepted;
};

struct Anomaly;  // anomaly.h
struct Unit;     // unit.h

// Who wants to know when the peer had what was sent. Places are those of RdmaOp::end_position.
class Arrivals {
 public:
  // Comes before the piece itself, where that is new.
  virtual void on_late(const Late& late) = 0;
  // `by` says that what its peer sent from `begin` to `end` came twice (TCP: RFC 2883).
  virtual void on_duplicate(Side by, uint64_t begin, uint64_t end) = 0;
  // `by` has no room for what its peer sends, or has some again.
  virtual void on_room(Side by, bool room, const Stamp& at) = 0;
  // `by` has acknowledged all that its peer sent before `position`, be it in the capture or not.
  virtual void on_accepted(Side by, uint64_t position, const Stamp& at) = 0;
  // `by` acknowledges all before `position` once more. TCP: since something behind it has come (RFC 5681 §2,
  // RFC 2018). RoCE: why is not known.
  virtual void on_acknowledged_again(Side by, uint64_t position, const Stamp& at) = 0;
  // Once the connection has come up, before anything else of it; or later, where it comes after the answer.
  virtual void on_setup_again(const SetupAgain& again) = 0;

 protected:
  ~Arrivals() = default;
};

// Who listens to one connection's transport. Calls come in the order of
// acceptance; nothing is delivered twice.
class Listener {
 public:
  virtual void on_setup(Side half, const SetupHalf& setup, const Stamp& at) = 0;
  virtual void on_op(const RdmaOp& op) = 0;
  virtual void on_fault(const Fault& fault) = 0;
  // Packets that `from` sent are missing from the capture, although the peer
  // acknowledged them (or nothing else can explain what follows): whatever they
  // carried is unknown.
  virtual void on_gap(Side from, const Stamp& at) = 0;
  // `from` sent again what the capture already holds.
  virtual void on_retransmission(Side /*from*/, const Stamp& /*at*/) {}
  // RoCE: an acknowledgment or a NAK of what the peer cannot have sent, as of an earlier connection of these
  // QPs. It changes nothing.
  virtual void on_stray_acknowledgment(Side /*from*/, const Stamp& /*at*/) {}
  // `by` has acknowledged all that its peer has sent and that was reported. Not reported again for the same
  // pieces.
  virtual void on_acknowledged(Side /*by*/, const Stamp& /*at*/) {}
  // `by` has no room for what its peer sends (TCP: it advertises a window of zero), or has some again.
  virtual void on_room(Side /*by*/, bool /*room*/, const Stamp& /*at*/) {}
  // What a correct sender does not do, or what the capture lacks, as soon as it
  // is noticed.
  virtual void on_anomaly(const Anomaly& /*anomaly*/) {}
  virtual void on_end(EndReason reason, const Stamp& at) = 0;
  // iWARP: a setup frame, or an FPDU, of which the operations come next.
  virtual void on_unit(const Unit& /*unit*/) {}
  // Null where nobody asks.
  virtual Arrivals* arrivals() { return nullptr; }
  // An operation of that kind comes soon; `other`: a packet without any. Asks for the memory that it will
  // take (base/fetch.h): at first its own, and at the next step what that leads to.
  enum class Nearing : uint8_t { itself, contents };
  virtual void expect(OpKind /*kind*/, Side /*from*/, Nearing /*step*/) const {}

 protected:
  ~Listener() = default;
};

}  // namespace steertag::rdma
