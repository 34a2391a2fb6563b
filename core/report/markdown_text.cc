#include "report/markdown_text.h"

#include <algorithm>

#include "base/printable.h"
#include "report/escape.h"

namespace steertag::report {
namespace {

bool is_latin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether a word is no more than a word in every dialect. A point in front of a letter makes the name of a
// host; two colons, an emoji.
bool harmless(std::string_view word) {
  size_t colons = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    const bool digit = c >= '0' && c <= '9';
    if (!is_latin(c) && !digit && std::string_view(",;.:()'-%/").find(c) == std::string_view::npos) {
      return false;
    }
    colons += c == ':' ? 1 : 0;
    if ((c == '.' && i + 1 < word.size() && is_latin(word[i + 1])) || word.substr(i).starts_with("://")) {
      return false;
    }
  }
  return colons < 2;
}

size_t longest_run(std::string_view text, char c) {
  size_t longest = 0, run = 0;
  for (const char one : text) {
    run = one == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

void put_markdown_code(Buffer& out, std::string_view text) {
  const std::string shown = base::printable(text);
  const std::string fence(longest_run(shown, '`') + 1, '`');
  // One blank at either end is taken off again, where there are two.
  const bool padded = shown.empty() || shown.front() == '`' || shown.back() == '`' ||
                      (shown.front() == ' ' && shown.back() == ' ');
  const std::string_view pad = padded ? " " : "";
  print(out, "{}{}{}{}{}", fence, pad, shown, pad, fence);
}

// Names behind @ and numbers behind # are looked for after the backslashes are gone, so that an empty comment
// keeps them apart.
std::string markdown_cell(std::string_view text) {
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

void put_markdown(Buffer& out, std::string_view text) {
  std::string code;  // words in a row that are set as code
  bool first = true;
  const auto flush = [&] {
    if (!code.empty()) {
      put(out, first ? "" : " ");
      put_markdown_code(out, code);
      code.clear();
      first = false;
    }
  };
  while (!text.empty()) {
    const std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!harmless(word)) {
      code += (code.empty() ? "" : " ") + std::string(word);
    } else if (!word.empty()) {
      flush();
      print(out, "{}{}", first ? "" : " ", word);
      first = false;
    }
  }
  flush();
}

void put_markdown_block(Buffer& out, std::string_view text) {
  const std::string shown = spelled(text);
  const std::string fence(std::max<size_t>(longest_run(shown, '`') + 1, 3), '`');
  print(out, "{}text\n{}{}{}\n", fence, shown, shown.ends_with('\n') || shown.empty() ? "" : "\n", fence);
}

}  // namespace steertag::report
