// SegmentCopies: hashes of the latest TCP segments of one direction, so that a
// segment which is sent again can be compared with its first copy. TCP may cut a
// retransmission anew; only one with the same bounds is compared.
//
// Equal hashes of different segments hide a change; they never make one up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/newest.h"
#include "link/tcp_stream.h"

namespace steertag::rdma::iwarp {

struct SegmentCopy {
  uint64_t offset = 0;    // in the stream
  uint32_t length = 0;    // bytes on the wire
  uint32_t captured = 0;  // bytes
  uint32_t hash = 0;      // of the captured ones
  Stamp at;

  static SegmentCopy of(const link::StreamBytes& bytes);
  uint64_t end() const { return offset + length; }
  bool same_as(const SegmentCopy& other) const { return captured != other.captured || hash == other.hash; }
};

class SegmentCopies {
 public:
  // Segments that are remembered: at least those without an acknowledgment, up to this many.
  static constexpr size_t kMaxCopies = 1024;

  // `acknowledged`: the peer has all bytes before this offset.
  void add(const SegmentCopy& copy, uint64_t acknowledged);
  // The copy of the segment with these bounds; null where it is not remembered.
  const SegmentCopy* find(uint64_t offset, uint32_t length) const;
  void release() { newest_.release(); }

 private:
  base::Newest<SegmentCopy, kMaxCopies> newest_;
};

}  // namespace steertag::rdma::iwarp
