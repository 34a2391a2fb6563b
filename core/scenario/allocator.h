// Allocator: makes up memory for chunks, where their line does not say which.
// Invariant: no handle is made up twice, and no page of memory; behind each segment
// one page at least stays free.
#pragma once

#include <cstdint>

#include "scenario/calls.h"

namespace steertag::scenario {

class Allocator {
 public:
  // Memory for a chunk. `needed`: bytes that a segment without a length, or a chunk without segments, has
  // to hold.
  Chunk allocate(const ChunkSpec& spec, uint32_t needed);
  uint32_t handle() { return next_handle_++; }

 private:
  uint32_t next_handle_ = 0x8F01;
  uint64_t next_offset_ = 0x10000;
};

}  // namespace steertag::scenario
