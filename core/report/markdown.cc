#include "report/markdown.h"

#include "base/printable.h"

namespace steertag::report {

std::string markdown(std::string_view text) {
  // Every mark may be escaped by a backslash. Names behind @ and numbers behind # are looked for after that,
  // so an empty comment keeps them apart.
  constexpr std::string_view kMarks = "\\`*_{}[]<>()!|~$&\"'=:;^.+?";
  constexpr std::string_view kApart = "<!-- -->";
  std::string out;
  for (const char c : base::printable(text)) {
    if (kMarks.find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
    if (c == '@' || c == '#') {
      out += kApart;
    }
  }
  return out;
}

}  // namespace steertag::report
