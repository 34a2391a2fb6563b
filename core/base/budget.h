// Budget: bytes held by all tables that share it, against a limit. Whoever holds bytes
// charges them and releases them again; a Budget refuses nothing by itself: those who
// could hold less ask whether it is over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace steertag::base {

class Budget {
 public:
  explicit Budget(size_t limit = SIZE_MAX) : limit_(limit) {}

  void charge(size_t bytes) { held_ += bytes; }
  void release(size_t bytes) {
    STEERTAG_CHECK(bytes <= held_);
    held_ -= bytes;
  }
  // What was charged as `before` is `now` bytes large. Returns `now`.
  size_t recharge(size_t before, size_t now) {
    charge(now);
    release(before);
    return now;
  }
  size_t held() const { return held_; }
  bool over() const { return held_ > limit_; }

 private:
  size_t limit_;
  size_t held_ = 0;
};

}  // namespace steertag::base
