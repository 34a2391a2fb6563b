// UTF-8: which character a text begins with, and whether anybody would see it. A name may hold
// characters that show nothing and change what is around them: U+202E turns the rest of a
// line round, U+009B begins an escape sequence in some terminals, U+200B makes two names look alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace steertag::base {

struct Utf8 {
  char32_t point = 0;
  size_t length = 0;  // bytes; 0 where the text does not begin with a character
};

// RFC 3629 §4: no overlong forms, no surrogates, nothing above U+10FFFF.
constexpr Utf8 utf8(std::string_view text) {
  const auto byte = [&](size_t i) -> char32_t { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0; };
  const char32_t lead = byte(0);
  if (text.empty() || lead < 0x80) {
    return {lead, text.empty() ? size_t{0} : size_t{1}};
  }
  const size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                        : lead >= 0xE0 && lead <= 0xEF ? 3
                        : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                       : 0;
  char32_t point = length == 0 ? 0 : lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return {};
    }
    point = point << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return overlong || surrogate || point > 0x10FFFF ? Utf8{} : Utf8{point, length};
}

// Whether a cut in front of that byte of UTF-8 would be within a character. Precondition: at < text.size().
constexpr bool within_character(std::string_view text, size_t at) {
  return (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

// Controls of C1, format characters (general category Cf), line and paragraph separators, variation
// selectors, and the letters that are blank. Those of ASCII are not asked about.
constexpr bool invisible(char32_t point) {
  const auto in = [&](char32_t first, char32_t last) { return point >= first && point <= last; };
  if (point < 0x80) {
    return false;
  }
  return in(0x80, 0x9F) || point == 0xAD || point == 0x034F || in(0x0600, 0x0605) || point == 0x061C ||
         point == 0x06DD || point == 0x070F || in(0x0890, 0x0891) || point == 0x08E2 || in(0x115F, 0x1160) ||
         in(0x17B4, 0x17B5) || in(0x180B, 0x180F) || in(0x200B, 0x200F) || in(0x2028, 0x202E) ||
         in(0x2060, 0x206F) || point == 0x3164 || in(0xFE00, 0xFE0F) || point == 0xFEFF || point == 0xFFA0 ||
         in(0xFFF0, 0xFFFB) || point == 0x110BD || point == 0x110CD || in(0x13430, 0x1343F) ||
         in(0x1BCA0, 0x1BCA3) || in(0x1D173, 0x1D17A) || in(0xE0000, 0xE0FFF);
}

}  // namespace steertag::base
