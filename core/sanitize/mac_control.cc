#include "sanitize/mac_control.h"

#include <cstdint>

#include "link/headers.h"
#include "wire/reader.h"

namespace steertag::sanitize {

size_t size_of_control(Bytes control) {
  constexpr size_t kOpcode = 2, kPause = 4, kPriorityPause = 20;
  constexpr uint16_t kLastOfEpon = 0x0006, kExtension = 0xFFFE;  // GATE to REGISTER_ACK: 0x0002 to 0x0006
  if (control.size() < kPause) {
    return 0;
  }
  const auto opcode = wire::big_endian<uint16_t>(control.data());
  if (opcode == link::mac_control::kPriorityPause) {
    const bool reserved = control[kOpcode] != 0;  // the upper half of the vector of classes
    return reserved ? kOpcode : kPriorityPause;
  }
  const bool known = (opcode != 0 && opcode <= kLastOfEpon) || opcode == kExtension;
  return opcode == link::mac_control::kPause ? kPause : known ? kOpcode : 0;
}

}  // namespace steertag::sanitize
