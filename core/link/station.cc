#include "link/station.h"

#include <fmt/format.h>

#include <iterator>

namespace steertag::link {

std::string Station::mac() const {
  std::string text;
  for (int bit = 56; known() && bit >= 16; bit -= 8) {
    fmt::format_to(std::back_inserter(text), "{}{:02x}", text.empty() ? "" : ":", number_ >> bit & 0xFF);
  }
  return text;
}

}  // namespace steertag::link
