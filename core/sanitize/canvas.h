// Canvas: the frame at hand, as it was and as it is written. What is written begins without content. A view
// of the frame as it was says which part of it is meant; the same part of what is written is where that is
// kept, cleared, or has something else put in its place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace steertag::sanitize {

class Canvas {
 public:
  // Both stay until the next begin(); `after` is as long as `before`. `whole`: of the frame nothing is
  // missing.
  void begin(Bytes before, std::span<uint8_t> after, bool whole) {
    before_ = before;
    after_ = after;
    whole_ = whole;
  }
  bool whole() const { return whole_; }

  size_t at(Bytes view) const { return static_cast<size_t>(view.data() - before_.data()); }
  // Where a view of what was stands in what is written; nowhere where it is empty.
  std::span<uint8_t> after(Bytes view) const {
    return view.empty() ? std::span<uint8_t>() : after_.subspan(at(view)).first(view.size());
  }
  std::span<uint8_t> all() const { return after_; }

  void keep(Bytes view) const { std::copy(view.begin(), view.end(), after(view).begin()); }
  // From the start of one view to that of another behind it; where that is empty, all of the first.
  void keep_between(Bytes from, Bytes to) const { keep(to.empty() ? from : from.first(at(to) - at(from))); }
  void put(Bytes view, Bytes bytes) const {  // in its place, as far as it fits
    std::copy_n(bytes.begin(), std::min(view.size(), bytes.size()), after(view).begin());
  }
  void fill(Bytes view, uint8_t byte) const { std::fill(after(view).begin(), after(view).end(), byte); }
  void clear(Bytes view) const { fill(view, 0); }

 private:
  Bytes before_;
  std::span<uint8_t> after_;
  bool whole_ = false;
};

}  // namespace steertag::sanitize
