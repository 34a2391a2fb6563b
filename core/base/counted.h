// A number with what it counts, for people: "1 segment", "3 segments". What is
// counted has its plural in an s. Made only where text is: in findings and
// reports, never per packet.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace steertag::base {

inline std::string counted(uint64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace steertag::base
