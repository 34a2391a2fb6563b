#include "base/printable.h"

#include <cstdint>

#include "base/utf8.h"

namespace steertag::base {
namespace {

void put_hex(std::string& out, uint32_t value, int width) {
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[value >> shift & 0xF];
  }
}

// What a runner of CI takes for a command in what is printed: "##[" anywhere, "::" where a line begins.
bool begins_command(std::string_view text, const std::string& out, bool at_begin) {
  return (text.starts_with('#') && out.ends_with('#')) || (at_begin && text.starts_with("::"));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool at_begin = true;  // but for what may be a blank
  while (!text.empty()) {
    const Utf8 character = utf8(text);
    const size_t length = character.length == 0 ? 1 : character.length;
    if (character.length == 0 || begins_command(text, out, at_begin)) {
      out += "\\x";
      put_hex(out, static_cast<uint8_t>(text[0]), 2);
    } else if (character.point < 0x20 || character.point == 0x7F) {
      out += '?';
    } else if (!invisible(character.point)) {
      out += text.substr(0, length);
    } else if (character.point > 0xFFFF) {
      out += "\\U";
      put_hex(out, character.point, 8);
    } else {
      out += "\\u";
      put_hex(out, character.point, 4);
    }
    at_begin = at_begin && (length != 1 || text[0] == ' ');
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace steertag::base
