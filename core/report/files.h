// Files: the names that Stamp::file stands for, for traces read from several
// files. With a single file, frame numbers suffice and no name is printed.
// The caller owns the names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/printable.h"

namespace steertag::report {

struct Files {
  std::span<const std::string> names;  // by Stamp::file

  bool several() const { return names.size() > 1; }
  std::string_view name(uint32_t file) const {
    return file < names.size() ? names[file] : std::string_view{};
  }
  // For people, on one line.
  std::string text(uint32_t file) const { return base::printable(name(file)); }
};

}  // namespace steertag::report
