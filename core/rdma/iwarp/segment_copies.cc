#include "rdma/iwarp/segment_copies.h"

#include "base/crc.h"
#include "rdma/crc_shift.h"

namespace steertag::rdma::iwarp {
namespace {

void append(SegmentCopy& front, const SegmentCopy& back) {
  front.hash = crc_joined(front.hash, back.hash, back.length);
  front.length += back.length;
  front.captured += back.captured;
}

}  // namespace

// Not CRC32c: over FPDUs that end with theirs, that is the same for all.
uint32_t digest_segment(Bytes captured) {
  return base::crc32(0, captured);
}

SegmentCopy SegmentCopy::of(const link::StreamBytes& bytes, const std::optional<uint32_t>& hash) {
  return {bytes.offset, bytes.length, bytes.captured.size(), hash ? *hash : digest_segment(bytes.captured),
          bytes.at};
}

void SegmentCopies::add(const SegmentCopy& copy, uint64_t acknowledged) {
  newest_.add(copy, [=](const SegmentCopy& oldest) { return oldest.end() <= acknowledged; });
}

const SegmentCopy* SegmentCopies::find(uint64_t offset, uint64_t length) const {
  return newest_.find(
      [=](const SegmentCopy& copy) { return copy.offset == offset && copy.length == length; });
}

std::optional<SentTwice> SegmentCopies::add_again(const SegmentCopy& copy, uint64_t acknowledged) {
  if (const SegmentCopy* first = find(copy.offset, copy.length)) {
    again_.reset();
    return SentTwice{*first, copy, acknowledged >= first->end()};
  }
  if (!copy.whole()) {
    again_.reset();
    return std::nullopt;
  }
  if (again_ && again_->end() == copy.offset && again_->length + copy.length <= kMaxTogether) {
    append(*again_, copy);
    again_->at = copy.at;
  } else {
    again_ = copy;
    acknowledged_ = acknowledged;
  }
  const std::optional<SegmentCopy> first = together(again_->offset, again_->end());
  if (!first) {
    return std::nullopt;
  }
  const SentTwice twice{*first, *again_, acknowledged_ >= first->end()};
  again_.reset();
  return twice;
}

// Those of the first time that fill [begin, end), as one.
std::optional<SegmentCopy> SegmentCopies::together(uint64_t begin, uint64_t end) const {
  std::optional<SegmentCopy> all;
  uint64_t next = begin;
  for (size_t parts = 0; next < end && parts < kMaxParts; ++parts) {
    const SegmentCopy* part = newest_.find([=](const SegmentCopy& copy) { return copy.offset == next; });
    if (part == nullptr || !part->whole()) {
      return std::nullopt;
    }
    if (all) {
      append(*all, *part);
    } else {
      all = *part;
    }
    next = part->end();
  }
  return next == end ? all : std::nullopt;
}

}  // namespace steertag::rdma::iwarp
