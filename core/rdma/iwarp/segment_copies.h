// SegmentCopies: hashes of the latest TCP segments of one direction, so that a
// segment which is sent again can be compared with its first copy. TCP may cut a
// retransmission differently: successive segments are joined until they begin and
// end where some of the first ones did.
//
// Equal hashes of different segments may hide a change; they never make one up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "link/tcp_stream.h"

namespace steertag::rdma::iwarp {

// The hash of a segment's bytes.
uint32_t digest_segment(Bytes captured);

struct SegmentCopy {
  uint64_t offset = 0;    // in the stream
  uint64_t length = 0;    // bytes on the wire
  uint64_t captured = 0;  // bytes
  uint32_t hash = 0;      // of the captured ones
  Stamp at;

  // `hash`: if it is known already.
  static SegmentCopy of(const link::StreamBytes& bytes, const std::optional<uint32_t>& hash = {});
  uint64_t end() const { return offset + length; }
  bool whole() const { return captured == length; }
  bool same_as(const SegmentCopy& other) const { return captured != other.captured || hash == other.hash; }
};

// The same bytes of the stream, twice.
struct SentTwice {
  SegmentCopy first, second;
  bool acknowledged = false;  // the first copy was, before the second began
};

class SegmentCopies {
 public:
  // At least the segments without an acknowledgment are remembered, up to this many.
  static constexpr size_t kMaxCopies = 1024;
  // First copies that are joined, at most; bytes of second copies that are.
  static constexpr size_t kMaxParts = 64;
  static constexpr uint64_t kMaxTogether = 1 << 20;

  // `acknowledged`: the peer has all bytes before this offset.
  void add(const SegmentCopy& copy, uint64_t acknowledged);
  // The copy of the segment with these bounds; null where it is not remembered.
  const SegmentCopy* find(uint64_t offset, uint64_t length) const;
  // A segment that is sent again. Yields what can be compared: it and its first copy, perhaps joined with the
  // segments right before it.
  std::optional<SentTwice> add_again(const SegmentCopy& copy, uint64_t acknowledged);
  size_t bytes() const { return newest_.bytes(); }  // of the heap
  void release() {
    newest_.release();
    again_.reset();
  }

 private:
  std::optional<SegmentCopy> together(uint64_t begin, uint64_t end) const;

  base::Newest<SegmentCopy, kMaxCopies> newest_;
  std::optional<SegmentCopy> again_;  // the latest segments sent again that follow each other, joined
  uint64_t acknowledged_ = 0;         // as given with the first of them
};

}  // namespace steertag::rdma::iwarp
