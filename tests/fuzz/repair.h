// repair(): puts right in an Ethernet frame what depends on the rest of it, after the rest
// was changed: lengths of IP and UDP, the checksum of IPv4, the ICRC of RoCEv2, length and
// CRC of the FPDU of iWARP that opens a TCP segment. So what was changed reaches what stands behind those who
// check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace steertag::fuzz {

// Where the layers of a frame begin; of RoCEv2 and TCP over IP alone.
struct Layers {
  size_t ip = 0, transport = 0, payload = 0;
  bool v6 = false, tcp = false;
};
std::optional<Layers> layers_of(const std::vector<uint8_t>& frame);

void repair(std::vector<uint8_t>& frame);

}  // namespace steertag::fuzz
