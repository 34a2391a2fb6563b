#include "rdma/iwarp/segment_copies.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace steertag::rdma::iwarp {

// Not CRC32c: over FPDUs that end with theirs, that is the same for all.
SegmentCopy SegmentCopy::of(const link::StreamBytes& bytes) {
  const Bytes captured = bytes.captured;
  return {bytes.offset, bytes.length, static_cast<uint32_t>(captured.size()),
          crc32_gzip_refl(0, captured.data(), captured.size()), bytes.at};
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
