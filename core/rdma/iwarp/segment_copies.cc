#include "rdma/iwarp/segment_copies.h"

#include <isa-l/crc.h>

namespace steertag::rdma::iwarp {

namespace {

// Polynomials over GF(2) modulo that of the CRC of gzip; bit 31 is the coefficient of 1, as its bytes are
// reflected. Precondition: `a` is not zero.
uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 1u << 31;; bit >>= 1) {
    if ((a & bit) != 0) {
      product ^= b;
      if ((a & (bit - 1)) == 0) {
        return product;
      }
    }
    b = (b & 1) != 0 ? b >> 1 ^ 0xEDB88320u : b >> 1;
  }
}

// The hash of two runs of bytes from those of each.
uint32_t joined(uint32_t front, uint32_t back, uint64_t back_length) {
  uint32_t shift = 1u << 31;        // 1
  uint32_t power = 1u << (31 - 8);  // x^8: one byte
  for (uint64_t n = back_length; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      shift = multiply(power, shift);
    }
    power = multiply(power, power);
  }
  return multiply(shift, front) ^ back;
}

void append(SegmentCopy& front, const SegmentCopy& back) {
  front.hash = joined(front.hash, back.hash, back.length);
  front.length += back.length;
  front.captured += back.captured;
}

}  // namespace

// Not CRC32c: over FPDUs that end with theirs, that is the same for all.
SegmentCopy SegmentCopy::of(const link::StreamBytes& bytes) {
  const Bytes captured = bytes.captured;
  return {bytes.offset, bytes.length, captured.size(), crc32_gzip_refl(0, captured.data(), captured.size()),
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
