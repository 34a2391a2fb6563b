#include "report/escape.h"

#include <cstdint>

#include "base/printable.h"
#include "base/utf8.h"

namespace steertag::report {
namespace {

// Where XML 1.0 has a place for it, and a reader sees it. Everything else is spelled out.
bool shown(const base::Utf8& character) {
  const char32_t point = character.point;
  const bool line = point == '\n' || point == '\t';
  const bool control = point < 0x20 || point == 0x7F;
  return character.length != 0 && (line || !control) && !base::invisible(point) && (point & 0xFFFE) != 0xFFFE;
}

// `line_breaks`: as references, which an XML parser does not turn into blanks.
void put_escaped(Buffer& out, std::string_view text, bool line_breaks) {
  for (const char c : spelled(text)) {
    switch (c) {
      case '&':
        put(out, "&amp;");
        break;
      case '<':
        put(out, "&lt;");
        break;
      case '>':  // of ]]>, too
        put(out, "&gt;");
        break;
      case '"':
        put(out, "&quot;");
        break;
      case '\n':
        put(out, line_breaks ? "&#10;" : "\n");
        break;
      case '\t':
        put(out, line_breaks ? "&#9;" : "\t");
        break;
      default:
        put(out, c);
    }
  }
}

}  // namespace

std::string spelled(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    const base::Utf8 character = base::utf8(text);
    const std::string_view bytes = text.substr(0, character.length == 0 ? 1 : character.length);
    if (shown(character)) {
      made += bytes;
    } else if (bytes.size() == 1) {
      made += fmt::format("\\x{:02x}", static_cast<uint8_t>(bytes[0]));
    } else if (base::invisible(character.point)) {
      made += base::printable(bytes);
    } else {
      made += fmt::format("\\u{:04x}", uint32_t{character.point});
    }
    text.remove_prefix(bytes.size());
  }
  return made;
}

void put_xml(Buffer& out, std::string_view text) {
  put_escaped(out, text, false);
}

void put_xml_value(Buffer& out, std::string_view text) {
  put_escaped(out, text, true);
}

}  // namespace steertag::report
