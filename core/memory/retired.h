// RetiredSegments: the segments of one side that were withdrawn lately, since their Exchange was
// reported. With them an operation that comes too late can be distinguished from one that was
// never allowed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "flow/access.h"
#include "memory/segment_index.h"

namespace steertag::memory {

// What is known of a segment of `over` that is no longer valid.
Retired retired_of(const Exchange& over, const SegmentFlow& segment);

class RetiredSegments {
 public:
  // Segments that are remembered; the oldest gives way.
  static constexpr size_t kMaxKept = 1024;

  void add(const Exchange& over, const SegmentFlow& segment);
  // The newest that holds the byte, else the newest under the handle; null where there is none. Good until
  // the next add().
  const Retired* find(uint32_t handle, uint64_t byte);
  // The newest under the handle.
  const Retired* find(uint32_t handle);

  size_t bytes() const;  // of the heap

 private:
  const Retired* kept(SegmentIndex::Node node) const;
  void enter(size_t place);
  void index_all();

  std::vector<Retired> ring_;
  size_t next_ = 0;  // where the oldest is, once the ring is full
  uint64_t added_ = 0;
  // By handle and offset; made when it is first asked for, since most captures never ask.
  std::unique_ptr<SegmentIndex> index_;
  std::vector<SegmentIndex::Node> nodes_;  // of each in the ring, with the index
};

}  // namespace steertag::memory
