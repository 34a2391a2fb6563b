#include "rdma/iwarp/segment_copies.h"

#include <isa-l/crc.h>

namespace steertag::rdma::iwarp {

// Not CRC32c: over FPDUs that end with theirs, that is the same for all.
SegmentCopy SegmentCopy::of(const link::StreamBytes& bytes) {
  const Bytes captured = bytes.captured;
  return {bytes.offset, bytes.length, static_cast<uint32_t>(captured.size()),
          crc32_gzip_refl(0, captured.data(), captured.size()), bytes.at};
}

void SegmentCopies::add(const SegmentCopy& copy, uint64_t acknowledged) {
  newest_.add(copy, [=](const SegmentCopy& oldest) { return oldest.end() <= acknowledged; });
}

const SegmentCopy* SegmentCopies::find(uint64_t offset, uint32_t length) const {
  return newest_.find(
      [=](const SegmentCopy& copy) { return copy.offset == offset && copy.length == length; });
}

}  // namespace steertag::rdma::iwarp
