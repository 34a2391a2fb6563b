// CmMessage: a message of the InfiniBand communication manager, the MAD of 256
// bytes in which RoCE and InfiniBand connections are set up and torn down (IBTA
// vol. 1, chapter 12). decode() reads it from a captured packet, encode() makes one
// for scenarios; both follow the one layout in cm.cc.
//
// A field that a message type does not have keeps its default.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.h"
#include "base/bytes.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

constexpr uint32_t kGeneralServicesQp = 1;             // destination of every MAD of the CM
constexpr uint32_t kGeneralServicesQKey = 0x80010000;  // its well-known Q_Key
constexpr uint8_t kCmManagementClass = 0x07;
constexpr uint32_t kMadSize = 256;        // bytes
constexpr uint16_t kInvalidPathMtu = 26;  // the reason of a REJ

enum class CmAttribute : uint16_t {
  req = 0x10,
  mra = 0x11,
  rej = 0x12,
  rep = 0x13,
  rtu = 0x14,
  dreq = 0x15,
  drep = 0x16,
  sidr_req = 0x17,
  sidr_rep = 0x18,
  lap = 0x19,
  apr = 0x1A,
};

// The RDMA IP CM Service's header in front of a REQ's private data, 36 bytes:
// which IP addresses the RDMA_CM applications see.
struct IpCmHeader {
  static constexpr uint32_t size = 36;  // bytes

  uint8_t version = 0;        // major and minor
  uint8_t ip_version = 0x40;  // 4 or 6 in the high nibble
  uint16_t source_port = 0;
  std::array<uint8_t, 16> source_octets{};  // IPv4 in the last four
  std::array<uint8_t, 16> destination_octets{};

  base::Address source() const;
  base::Address destination() const;
  void set(const base::Address& source, const base::Address& destination);  // both ipv4 or both ipv6

  static void layout(auto& w, auto& s) {
    w.hex("cma_version", s.version);
    w.hex("ip_version", s.ip_version);
    w("source_port", s.source_port);
    w.array("source_address", s.source_octets);
    w.array("destination_address", s.destination_octets);
  }
};

struct CmMessage {
  // MAD header.
  uint8_t class_version = 2;
  uint8_t method = 0x03;  // Send
  uint16_t status = 0;
  uint64_t transaction_id = 0;
  CmAttribute attribute = CmAttribute::req;
  uint32_t attribute_modifier = 0;

  uint32_t local_comm_id = 0;   // the sender's; SIDR: the Request ID
  uint32_t remote_comm_id = 0;  // the receiver's; not in REQ and SIDR

  // REQ and REP; as noted, others.
  uint32_t vendor_id = 0;   // 24 bits, the OUI of the CA's vendor; REQ
  uint64_t service_id = 0;  // REQ, SIDR
  uint64_t local_ca_guid = 0;
  uint32_t local_q_key = 0;         // also SIDR REP
  uint32_t local_qpn = 0;           // 24 bits; also SIDR REP
  uint32_t local_eecn = 0;          // 24 bits
  uint32_t remote_eecn = 0;         // 24 bits; REQ
  uint8_t responder_resources = 0;  // RDMA Reads that the sender can serve at a time
  uint8_t initiator_depth = 0;      // RDMA Reads that the sender may start at a time
  uint32_t starting_psn = 0;        // 24 bits: where the *receiver* of this message starts to send
  uint16_t p_key = 0xFFFF;          // REQ, SIDR REQ
  // Packed bytes of the REQ and REP, as on the wire.
  uint8_t req_transport = 0;   // REQ: response timeout 5, transport type 2, flow control 1
  uint8_t req_retry = 0;       // REQ: local timeout 5, retry count 3
  uint8_t req_mtu = 0;         // REQ: path MTU code 4, RDC 1, RNR retry 3
  uint8_t req_cm_retries = 0;  // REQ: CM retries 4, SRQ 1, extended transport type 3
  uint8_t rep_delay = 0;       // REP: target ACK delay 5, failover 2, flow control 1
  uint8_t rep_retry = 0;       // REP: RNR retry 3, SRQ 1
  uint16_t primary_local_lid = 0, primary_remote_lid = 0;             // REQ
  std::array<uint8_t, 16> primary_local_gid{}, primary_remote_gid{};  // REQ
  std::array<uint8_t, 8> primary_path{};     // REQ: primary path parameters, flow label .. ACK timeout, raw
  std::array<uint8_t, 44> alternate_path{};  // REQ, LAP: the alternate path, raw

  uint32_t remote_qpn = 0;       // 24 bits; DREQ, LAP
  uint8_t rejected_message = 0;  // REJ, MRA: which message, in the two high bits
  uint8_t reason_length = 0;     // REJ, APR: length of the additional information; MRA: service timeout
  uint16_t reject_reason = 0;    // REJ; APR, SIDR REP: status
  std::array<uint8_t, 72> additional_information{};  // REJ, APR, SIDR REP

  // The RDMA IP CM Service (IBTA vol. 1, Annex A11): header of a REQ whose service id
  // names it; empty where the header was cut or is of another version.
  std::optional<IpCmHeader> ip;

  // What the consumer sent along: REQ 92 bytes (56 behind an IP CM header),
  // REP 196, REJ 148, RTU and DREP 224, DREQ 220. Captured bytes; borrowed.
  Bytes private_data;
  bool private_data_whole = false;  // all of it was captured
  // Where the capture ends before the private data, the fields behind the cut are
  // zero. A QPN or a path MTU of zero cannot be; of the others these show it.
  bool fields_cut = false;
  bool has_starting_psn = false;
  bool has_depths = false;  // responder_resources and initiator_depth
  // A byte that its attribute reserves is not zero: it may be a message of another attribute.
  bool reserved_used = false;

  // REJ, MRA: which message it is about (IBTA vol. 1, §12.6.6): 0 a REQ, 1 a REP.
  static constexpr uint8_t kAboutRequest = 0, kAboutReply = 1;
  uint8_t about() const { return rejected_message >> 6; }
  uint8_t transport_type() const { return req_transport >> 1 & 3; }  // 0: Reliable Connection
  uint8_t retry_count() const { return req_retry & 7; }
  uint8_t rnr_retry_count() const { return attribute == CmAttribute::rep ? rep_retry >> 5 : req_mtu & 7; }
  uint8_t service_level() const { return primary_path[6] >> 4; }
  // The exponent of the primary path's local ACK timeout, 4.096 us times two to the power of it; 0: none.
  uint8_t ack_timeout() const { return primary_path[7] >> 3; }
  uint32_t path_mtu() const;          // bytes; 0 where it says nothing of it
  uint32_t offered_path_mtu() const;  // of a REJ for the path MTU: likewise
  void set_path_mtu(uint32_t bytes);  // 256, 512, 1024, 2048 or 4096

  // Does the service id name the RDMA IP CM Service; its protocol (6 TCP, 17
  // UDP) and port. Ports mean something only where it does.
  bool is_ip_service() const { return service_id >> 24 == 1; }
  uint8_t ip_protocol() const { return static_cast<uint8_t>(service_id >> 16); }
  uint16_t port() const { return static_cast<uint16_t>(service_id); }
};

// The service id of the RDMA IP CM Service, TCP space, for a port.
constexpr uint64_t ip_service_id(uint16_t port, uint8_t protocol = 6) {
  return uint64_t{1} << 24 | uint64_t{protocol} << 16 | port;
}

// Is this a datagram to QP1 that admits MADs (whatever their class)?
bool is_mad(const Packet& packet);

// Reads a MAD of the CM; fills `into` anew. False where the MAD's header was
// not captured or it is of another class or version.
bool decode(Bytes mad, CmMessage& into);
bool decode(const Packet& packet, CmMessage& into);  // is_mad() and the above

// Appends the MAD, 256 bytes. Private data beyond its room is left out.
void encode(const CmMessage& message, std::vector<uint8_t>& out);

}  // namespace steertag::rdma::roce
