// icrc(): the invariant CRC at the end of every RoCE packet (IBTA vol. 1 §7.8, Annex A17): a
// CRC-32 over network and transport headers and payload, with the fields that a router may
// change taken as ones. On the wire its least significant byte comes first.
//
// Known for RoCEv2 over IPv4 and over IPv6 without extension headers. RoCEv1 is computed to
// the best of our knowledge, which no capture has confirmed; native InfiniBand is not
// computed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "link/packet.h"
#include "rdma/op.h"

namespace steertag::rdma::roce {

// The ICRC over `covered`: from the IP header (RoCEv2) or the GRH (RoCEv1)
// through the pad bytes, without the ICRC itself. `bth_offset`: where the BTH
// stands in it. Empty for carriers that are not known, and for headers that are
// not what the carrier says.
std::optional<uint32_t> icrc(link::Carrier carrier, Bytes covered, size_t bth_offset);

// The ICRC that a captured packet ought to carry; empty where bytes of it are
// missing from the capture.
std::optional<uint32_t> icrc(const link::Packet& packet);

// The ICRC that it does carry; empty where that was not captured.
std::optional<uint32_t> stored_icrc(const link::Packet& packet);

// Whether it is checked where that is asked for: no capture has confirmed how the others are computed.
constexpr bool is_icrc_checked(Transport transport) {
  return transport != Transport::roce1 && transport != Transport::infiniband;
}

// For emission: appends the ICRC to a packet that begins, in `out`, at
// `network_offset` with its IP header or GRH, and at `bth_offset` (both counted
// from the start of `out`) with its BTH. The length fields of IP and UDP must
// be final. False, and nothing appended, where it is not known.
bool append_icrc(link::Carrier carrier, std::vector<uint8_t>& out, size_t network_offset, size_t bth_offset);

}  // namespace steertag::rdma::roce
