// Files: the names behind Stamp::file, for traces that were read from several
// files. With a single file, frame numbers say it all and no name is printed.
// The caller owns the names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace steertag::report {

struct Files {
  std::span<const std::string> names;  // by Stamp::file

  bool several() const { return names.size() > 1; }
  std::string_view name(uint32_t file) const {
    return file < names.size() ? names[file] : std::string_view{};
  }
  // For people, on one line: a file may be called anything.
  std::string text(uint32_t file) const {
    std::string shown(name(file));
    std::replace_if(
        shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
    return shown;
  }
};

}  // namespace steertag::report
