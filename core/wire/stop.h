// Stop: where reading a structure had to end, and whose fault that is. Five
// facts: the field, its offset, what it needed, what was there, and what set the
// limit. "The peer sent too little" (message) and "the capture was cut by its
// snaplen" (capture) are different findings, so they are different limits.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/named.h"

namespace steertag::wire {

enum class Limit : uint8_t {
  capture,  // the bytes were on the wire, but are not in the capture
  message,  // the message ends here
  segment,  // a length inside the message ends here: rdma_optinfo, xchv_data, a chunk's content
};

inline std::string_view text(Limit limit) {
  static constexpr std::string_view names[] = {"capture", "message", "segment"};
  return base::named<Limit::segment>(names, limit);
}

struct Stop {
  const char* field = "";  // XDR name of the field that did not fit; a string literal
  uint32_t offset = 0;     // bytes from the start of the structure that was read
  uint32_t needed = 0;     // bytes that the field takes
  uint32_t available = 0;  // bytes that were left
  Limit limit = Limit::message;

  friend bool operator==(const Stop&, const Stop&) = default;
};

}  // namespace steertag::wire
