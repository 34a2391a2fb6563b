// MAC control in a sanitized capture: pause frames, and what else the ends of a link tell each other (IEEE
// 802.3 annexes 31A, 31B and 31D). An EtherType that is damaged makes such a frame of any other: its first
// words are content then.
#pragma once

#include <cstddef>

#include "base/bytes.h"

namespace steertag::sanitize {

// Bytes from the front that stay: of a pause its opcode and how long, of a priority pause that for each
// class, of others their opcode. None, where no standard has that opcode.
size_t size_of_control(Bytes control);

}  // namespace steertag::sanitize
