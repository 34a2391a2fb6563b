// StableDigest: a number that stands for some texts, the same on every machine and in every version, so that
// it can be printed and compared with that of another run. It is never 0. FNV-1a, of 64 bits: nothing to
// trust against malice.
#pragma once

#include <cstdint>
#include <string_view>

namespace steertag::base {

class StableDigest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      add(static_cast<uint8_t>(c));
    }
    add(uint8_t{0});  // where a part ends is a part of it
  }
  uint64_t value() const { return value_ == 0 ? 1 : value_; }

 private:
  void add(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
  uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace steertag::base
