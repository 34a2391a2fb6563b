#include "manual/roff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/named.h"
#include "base/utf8.h"
#include "help.h"

namespace steertag::manual {
namespace {

// What typesetting would make something else of.
std::string_view escape(char c) {
  constexpr std::pair<char, std::string_view> kInstead[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                            {'"', "\\(dq"}, {'`', "\\(ga"}, {'^', "\\(ha"},
                                                            {'~', "\\(ti"}};
  return base::named(kInstead, c);
}

}  // namespace

std::string roff(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const base::Utf8 character = base::utf8(text);
    const size_t length = std::max<size_t>(character.length, 1);
    if (character.point >= 0x80) {
      out += fmt::format("\\[u{:04X}]", static_cast<uint32_t>(character.point));
    } else if (const std::string_view instead = escape(text[0]); !instead.empty()) {
      out += instead;
    } else {
      out += text[0];
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

std::string roff_line(std::string_view text) {
  return (text.starts_with('.') ? "\\&" : "") + roff(text) + '\n';
}

std::string roff_text(std::string_view text) {
  constexpr size_t kWidth = 80;
  std::string out, line;
  for (const std::string_view part : cli::split(text, ' ')) {
    const std::string word = (part.starts_with('.') ? "\\&" : "") + roff(part);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + '\n';
}

}  // namespace steertag::manual
