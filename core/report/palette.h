// Palette: the few colours of the text reports, named by what they mean. The
// plain one is all empty strings, so that no code asks whether colours are on.
// Colour never carries meaning alone: the words say the same. They are of the eight that every terminal has,
// without white, black, yellow and blue, which cannot be read on one of a light and a dark ground.
#pragma once

#include <string_view>

#include "report/buffer.h"

namespace steertag::report {

struct Palette {
  std::string_view reset, dim, title, good, warn, bad;

  static constexpr Palette plain() { return {}; }
  static constexpr Palette ansi() {
    return {"\033[0m", "\033[2m", "\033[1m", "\033[32m", "\033[35m", "\033[1;31m"};
  }
};

inline void paint(Buffer& out, const Palette& palette, std::string_view colour, std::string_view text) {
  put(out, colour);
  put(out, text);
  if (!colour.empty()) {
    put(out, palette.reset);
  }
}

}  // namespace steertag::report
