// Newest: the newest items of a sequence, up to a bound, in one piece of memory
// that grows by need. For tables that look back a little way: what is held
// against what was sent before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace steertag::base {

template <typename T, size_t kMost>
class Newest {
 public:
  // The oldest item gives way where there are `kMost`, and before where it is `done`: no longer needed.
  template <typename Done>
  void add(const T& item, const Done& done) {
    if (used_ == ring_.size()) {
      const bool oldest_done = used_ != 0 && done(ring_[begin_]);
      if (!oldest_done && ring_.size() < kMost) {
        // Straighten the ring before it grows, so that begin_ + i stays the order of age.
        std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(begin_), ring_.end());
        begin_ = 0;
        ring_.resize(std::min(kMost, std::max(kFew, ring_.size() * 2)));
      } else {
        begin_ = (begin_ + 1) % ring_.size();
        --used_;
      }
    }
    ring_[(begin_ + used_++) % ring_.size()] = item;
  }

  // The newest that `is` true of; null where there is none.
  template <typename Is>
  const T* find(const Is& is) const {
    for (size_t i = used_; i-- > 0;) {
      const T& item = ring_[(begin_ + i) % ring_.size()];
      if (is(item)) {
        return &item;
      }
    }
    return nullptr;
  }

  template <typename Is>
  size_t count(const Is& is) const {
    size_t number = 0;
    for (size_t i = 0; i < used_; ++i) {
      number += is(ring_[(begin_ + i) % ring_.size()]) ? 1 : 0;
    }
    return number;
  }

  void clear() { used_ = 0; }  // keeps the memory
  void release() { std::vector<T>().swap(ring_), used_ = begin_ = 0; }

 private:
  static constexpr size_t kFew = 32;

  std::vector<T> ring_;
  size_t begin_ = 0;
  size_t used_ = 0;
};

}  // namespace steertag::base
