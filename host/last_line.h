// LastLine: what the command says when it has to end at once, from the handler of a signal
// or where memory ran out: one line on standard error, put together and written without
// allocating anything.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace steertag::host {

class LastLine {
 public:
  explicit LastLine(std::string_view why) {
    add("steertag: ");
    add(why);
  }
  void add(std::string_view text) {
    for (const char c : text.substr(0, text_.size() - 1 - size_)) {
      text_[size_++] = c;
    }
  }
  void add(uint64_t number) {
    const fmt::format_int text(number);
    add(std::string_view(text.data(), text.size()));
  }
  // Gives up the Targets, writes the line, and ends with status 2.
  [[noreturn]] void end() noexcept;

 private:
  std::array<char, 8192> text_;  // no name that can be opened is longer than 4096
  size_t size_ = 0;
};

}  // namespace steertag::host
