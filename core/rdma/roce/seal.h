// Seal: a fingerprint of a packet that was captured whole: its ICRC, and the few header fields
// that may change when the packet is sent again (IPv4 identification, UDP source port, SE,
// AckReq, P_Key). CRCs are linear: if two packets differ in these fields only, the difference of
// their ICRCs can be computed from the fields; if it is any other, something else differs. So a
// retransmission is compared with its first copy, and no payload is read.
//
// That is valid only where both ICRCs are known to be right: the sender's hardware may not have
// filled one in when the tap saw it, and packets are damaged on their way.
#pragma once

#include <cstdint>
#include <optional>

#include "link/packet.h"

namespace steertag::rdma::roce {

struct Seal {
  uint32_t icrc = 0;
  uint32_t covered = 0;      // bytes that it covers
  uint32_t id = 0;           // IPv4 identification, flags and fragment offset, as on the wire
  uint32_t bth = 0;          // the first four bytes of the BTH, as on the wire
  uint16_t source_port = 0;  // as on the wire
  uint8_t ack_request = 0;   // byte 8 of the BTH
  uint8_t bth_offset = 0;    // in the bytes that the ICRC covers

  // Empty for all but RoCEv2, and where the packet was not captured whole, was put together from fragments,
  // or has pad bytes other than zero.
  static std::optional<Seal> of(const link::Packet& packet);

  // Do the two packets differ in nothing but those fields? Precondition: both ICRCs are right.
  bool same_as(const Seal& other) const;
};

// The seal of a packet whose ICRC was computed and is right; empty for any other.
std::optional<Seal> verified_seal(const link::Packet& packet);

}  // namespace steertag::rdma::roce
