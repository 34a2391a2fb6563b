// Arithmetic with packet sequence numbers: 24 bits, wrapping (IBTA vol. 1 §9.7).
// Which numbers are expected, repeated or missing is decided elsewhere (Sequence,
// Requests).
#pragma once

#include <cstdint>

namespace steertag::rdma::roce {

constexpr uint32_t kPsnMask = 0xFFFFFF;

constexpr uint32_t psn_add(uint32_t psn, uint32_t n) {
  return (psn + n) & kPsnMask;
}

// How far `a` is ahead of `b`: positive where it is newer, -2^23 … 2^23 - 1.
constexpr int32_t psn_distance(uint32_t a, uint32_t b) {
  const uint32_t d = (a - b) & kPsnMask;
  return d < 0x800000 ? static_cast<int32_t>(d) : static_cast<int32_t>(d) - 0x1000000;
}

// Further behind what is expected than any window of a sender reaches.
constexpr int32_t kFarBehind = -(1 << 20);

// Further ahead of what was sent than any loss of the capture reaches, as long as no packet shows one.
constexpr int32_t kFarAhead = 1 << 16;

// PSNs from where a sender stood at the end of a connection: what is further away belongs to another one.
constexpr int32_t kLateDistance = 1 << 16;

// How many PSNs a message or an RDMA Read of `length` bytes takes.
constexpr uint32_t psn_count(uint32_t length, uint32_t path_mtu) {
  return length == 0 ? 1 : static_cast<uint32_t>((uint64_t{length} + path_mtu - 1) / path_mtu);
}

}  // namespace steertag::rdma::roce
