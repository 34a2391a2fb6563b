// Packet: one InfiniBand transport packet, taken apart as far as it was
// captured: BTH, extension headers, payload. Formats only: PSNs are not judged
// here, and no connection is known.
//
// The receiver emulation reads captured packets with decode(); the scenario
// compiler and tests make packets with encode().
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "rdma/roce/bth.h"
#include "rdma/roce/headers.h"
#include "rdma/roce/psn.h"
#include "rdma/roce/seal.h"
#include "wire/fixed.h"

namespace steertag::rdma::roce {

constexpr uint32_t kIcrcSize = 4;  // bytes, behind every packet

struct IcrcCheck {
  uint32_t computed = 0;  // what the packet ought to carry
  uint32_t carried = 0;
};

struct Packet {
  Opcode opcode = Opcode::send_only;
  bool solicited = false;
  bool migrated = false;  // MigReq bit
  uint8_t pad = 0;        // bytes, 0..3
  uint16_t p_key = 0xFFFF;
  bool fecn = false, becn = false;
  uint32_t dest_qp = 0;  // 24 bits
  bool ack_request = false;
  uint32_t psn = 0;  // 24 bits

  // Which of these are present follows from the opcode (bth.h); one
  // that the capture or the packet has no room for is absent.
  std::optional<Deth> deth;
  std::optional<Feth> feth;
  std::optional<Reth> reth;
  std::optional<AtomicEth> atomic;
  std::optional<Aeth> aeth;
  std::optional<AtomicAckEth> atomic_ack;
  std::optional<uint32_t> immediate;
  std::optional<Ieth> ieth;  // its r_key is what a SEND with Invalidate invalidates

  Bytes payload;                // captured bytes, without pad and ICRC; borrowed
  uint32_t payload_length = 0;  // bytes on the wire, without pad and ICRC

  // Where the ICRC was verified; decode() leaves it out.
  std::optional<IcrcCheck> icrc;
  bool damaged() const { return icrc && icrc->computed != icrc->carried; }

  // Marked by the network: ECN's CE in the IP header. For the caller to fill in, like `icrc`.
  bool marked = false;

  // The same packet as it was captured, for the caller to fill in; null once it outlives its frame.
  const link::Packet* captured = nullptr;
  // Of one that outlives its frame, where its ICRC was right.
  std::optional<Seal> seal;

  bool headers_cut = false;  // the capture ends inside the extension headers
  bool malformed = false;    // the packet is too short for its own headers, pad and ICRC
};

// Reads the BTH alone; false where decode() would be.
inline bool read_bth(Bytes from_bth, uint32_t wire_length, Bth& into) {
  return std::min<size_t>(from_bth.size(), wire_length) >= Bth::size &&
         wire::read_fixed(from_bth.data(), into).version() == 0;
}

// Reads a packet that begins with its BTH. `wire_length`: bytes from the BTH
// through the ICRC as they were on the wire; `from_bth` may hold less. Fills
// `into` anew. False where the BTH was not captured whole, or is of an unknown
// transport version (TVer).
bool decode(Bytes from_bth, uint32_t wire_length, Packet& into);
// The same for who has read its BTH already.
void decode(const Bth& bth, Bytes from_bth, uint32_t wire_length, Packet& into);

// Appends BTH, extension headers, payload and `pad` zero bytes; not the ICRC.
// The opcode decides which extension headers are written (an absent one as
// zeros); `payload` is written whole, `payload_length` is not looked at.
// Reserved bits are written as zero.
void encode(const Packet& packet, std::vector<uint8_t>& out);

// BTH and the extension headers that the opcode calls for, bytes.
inline uint32_t header_size(Opcode op) {
  return shape(op).headers;
}

// The last PSN, included, that a response says was accepted. That of a NAK itself was not, but all before it.
inline uint32_t last_accepted(const Packet& response) {
  const bool nak = response.aeth && !response.aeth->is_ack();
  return nak ? psn_add(response.psn, kPsnMask) : response.psn;
}

// Pad bytes that a payload of `length` bytes needs, 0..3.
constexpr uint8_t pad_for(size_t length) {
  return static_cast<uint8_t>((4 - length % 4) % 4);
}

}  // namespace steertag::rdma::roce
