#include "scenario/allocator.h"

#include <algorithm>

namespace steertag::scenario {

Chunk Allocator::allocate(const ChunkSpec& spec, uint32_t needed) {
  constexpr uint64_t kPage = 4096;  // bytes
  Chunk chunk;
  chunk.kind = spec.kind;
  chunk.name = spec.name;
  chunk.position = spec.position.value_or(0);
  std::vector<SegmentSpec> segments = spec.segments;
  if (segments.empty() && spec.whole_message()) {
    segments.emplace_back();
  }
  uint64_t at = 0;
  for (const SegmentSpec& segment : segments) {
    Chunk::Piece& piece = chunk.pieces.emplace_back();
    piece.at = static_cast<uint32_t>(std::min<uint64_t>(at, UINT32_MAX));
    piece.target.handle = segment.handle ? *segment.handle : handle();
    piece.target.length = segment.length.value_or(needed > at ? static_cast<uint32_t>(needed - at) : 0);
    piece.target.offset = segment.offset.value_or(next_offset_);
    if (!segment.offset) {
      next_offset_ += (piece.target.length / kPage + 2) * kPage;
    }
    at += piece.target.length;
  }
  return chunk;
}

}  // namespace steertag::scenario
