// printable(): a text on one line, for people, whatever it holds: a file may be
// called anything, and a scenario may say anything. Control characters become "?";
// what is beyond ASCII stays as it is.
#pragma once

#include <algorithm>
#include <string>

namespace steertag::base {

inline std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

}  // namespace steertag::base
