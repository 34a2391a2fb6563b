#include "rdma/iwarp/segment_copies.h"

#include <algorithm>

#include "rdma/iwarp/mpa.h"

namespace steertag::rdma::iwarp {

SegmentCopy SegmentCopy::of(const link::StreamBytes& bytes) {
  return {bytes.offset, bytes.length, static_cast<uint32_t>(bytes.captured.size()), crc32c(bytes.captured),
          bytes.at};
}

void SegmentCopies::add(const SegmentCopy& copy, uint64_t acknowledged) {
  if (used_ == ring_.size()) {
    const bool oldest_done = used_ != 0 && ring_[begin_].end() <= acknowledged;
    if (!oldest_done && ring_.size() < kMaxCopies) {
      // Straighten the ring before it grows, so that begin_ + i stays the order of age.
      std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(begin_), ring_.end());
      begin_ = 0;
      ring_.resize(std::max(kFewCopies, ring_.size() * 2));
    } else {
      begin_ = (begin_ + 1) % ring_.size();
      --used_;
    }
  }
  ring_[(begin_ + used_++) % ring_.size()] = copy;
}

const SegmentCopy* SegmentCopies::find(uint64_t offset, uint32_t length) const {
  for (size_t i = used_; i-- > 0;) {
    const SegmentCopy& copy = ring_[(begin_ + i) % ring_.size()];
    if (copy.offset == offset && copy.length == length) {
      return &copy;
    }
  }
  return nullptr;
}

}  // namespace steertag::rdma::iwarp
