// Newest: the newest items of a sequence, up to a bound, in one piece of memory
// that grows by need. For tables that look back a little way: what is held
// against what was sent before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/fetch.h"

namespace steertag::base {

template <typename T, size_t kMost>
class Newest {
 public:
  // The oldest item gives way where there are `kMost`, and before, but not below a few, where it is `done`:
  // no longer needed.
  template <typename Done>
  void add(const T& item, const Done& done) {
    next(done) = item;
  }
  // The same for who fills it in: it is whatever it is.
  template <typename Done>
  T& next(const Done& done) {
    if (used_ == ring_.size()) {
      const bool oldest_done = used_ != 0 && done(ring_[begin_]);
      if (ring_.size() < kFew || (!oldest_done && ring_.size() < kMost)) {
        // Straighten the ring before it grows, so that begin_ + i stays the order of age.
        std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(begin_), ring_.end());
        begin_ = 0;
        ring_.resize(std::min(kMost, std::max(kLeast, ring_.size() * 2)));
      } else {
        begin_ = place(1);
        --used_;
      }
    }
    return ring_[place(used_++)];
  }

  // An item will be added soon.
  void expect() const {
    if (!ring_.empty()) {
      fetch(ring_[place(used_ == ring_.size() ? 0 : used_)]);
    }
  }

  // The newest that `is` true of; null where there is none.
  template <typename Is>
  T* find(const Is& is) {
    return const_cast<T*>(std::as_const(*this).find(is));
  }
  template <typename Is>
  const T* find(const Is& is) const {
    for (size_t i = used_; i-- > 0;) {
      const T& item = (*this)[i];
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
      number += is((*this)[i]) ? 1 : 0;
    }
    return number;
  }

  // From the oldest, 0, to the newest.
  size_t size() const { return used_; }
  const T& operator[](size_t i) const { return ring_[place(i)]; }

  // The first, from the oldest on, that `is` not true of; size() where there is none. Precondition: none
  // behind that one is true.
  template <typename Is>
  size_t partition(const Is& is) const {
    size_t begin = 0;
    for (size_t count = used_; count != 0;) {
      const size_t half = count / 2;
      const bool before = is((*this)[begin + half]);
      begin += before ? half + 1 : 0;
      count = before ? count - half - 1 : half;
    }
    return begin;
  }

  void clear() { used_ = 0; }                                    // keeps the memory
  size_t bytes() const { return ring_.capacity() * sizeof(T); }  // of the heap
  void release() { std::vector<T>().swap(ring_), used_ = begin_ = 0; }

 private:
  static constexpr size_t kLeast = 4;  // room for so many at first ...
  static constexpr size_t kFew = 32;   // ... and for so many before any gives way

  size_t place(size_t i) const {
    const size_t at = begin_ + i;
    return at < ring_.size() ? at : at - ring_.size();
  }

  std::vector<T> ring_;
  size_t begin_ = 0;
  size_t used_ = 0;
};

}  // namespace steertag::base
