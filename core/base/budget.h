// Budget: bytes held by all tables that share it, against a limit. Whoever holds bytes
// charges them and releases them again, most through an Account; a Budget refuses nothing
// by itself: where it is over, somebody gives up so much that it is eased again.
//
// Occasion: when to measure again what grows a little with each use, so that measuring
// costs next to nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace steertag::base {

class Budget {
 public:
  explicit Budget(size_t limit = SIZE_MAX) : limit_(limit), tolerated_(limit) {}

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

  // What was given up for want of memory, each thing counted once.
  void note_given_up() { ++given_up_; }
  uint64_t given_up() const { return given_up_; }

  bool over() const { return held_ > tolerated_; }

  // An eighth below the limit. So much is given up at a time that the work of finding it, which is over all
  // there is, is paid for by what was charged since.
  bool eased() const { return held_ <= limit_ - limit_ / 8; }
  // All was given up that can be. Where it is over nevertheless, it counts as over again when an eighth of
  // the limit has come on top.
  void settle() { tolerated_ = eased() ? limit_ : std::max(limit_, held_ + limit_ / 8); }

 private:
  size_t limit_, tolerated_;
  size_t held_ = 0;
  uint64_t given_up_ = 0;
};

// What one owner has charged; released with it.
class Account {
 public:
  explicit Account(Budget& budget) : budget_(budget) {}
  ~Account() { budget_.release(charged_); }
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  // So many bytes it is now.
  void set(size_t bytes) { charged_ = budget_.recharge(charged_, bytes); }
  size_t charged() const { return charged_; }

 private:
  Budget& budget_;
  size_t charged_ = 0;
};

// Comes at the 1st, 2nd, 4th, ... use, and from the 1024th on at each 1024th.
class Occasion {
 public:
  static constexpr uint64_t kRarest = 1024;

  bool due() {
    if (++uses_ < next_) [[likely]] {
      return false;
    }
    next_ += std::min(next_, kRarest);
    return true;
  }

 private:
  uint64_t uses_ = 0;
  uint64_t next_ = 1;
};

}  // namespace steertag::base
