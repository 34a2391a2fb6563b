// What a header advertises: every segment of its three lists, one after the other,
// for rules that look at all of them alike. Each is named in words ("segment 2
// of Write chunk 1"), so that a finding can say which.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "flow/exchange.h"

namespace steertag::rules {

struct AdvertisedSegment {
  flow::ChunkKind kind = flow::ChunkKind::read;
  size_t chunk = 0;    // write: 0-based, in the Write list
  size_t segment = 0;  // 0-based, in the Read list or in its chunk
  const rpcrdma::Segment* target = nullptr;
  Range at;  // of the whole list element

  // "Read segment 1", "segment 2 of Write chunk 1", "segment 1 of the Reply chunk"
  std::string name() const {
    switch (kind) {
      case flow::ChunkKind::read:
      case flow::ChunkKind::result:
        return fmt::format("Read segment {}", segment + 1);
      case flow::ChunkKind::write:
        return fmt::format("segment {} of Write chunk {}", segment + 1, chunk + 1);
      case flow::ChunkKind::reply:
        return fmt::format("segment {} of the Reply chunk", segment + 1);
    }
    return {};
  }
};

template <typename Visit>
void each_advertised(const rpcrdma::ChunkLists& chunks, const Visit& visit) {
  for (size_t i = 0; i < chunks.reads.size(); ++i) {
    visit(AdvertisedSegment{flow::ChunkKind::read, 0, i, &chunks.reads[i].target, chunks.reads[i].at});
  }
  for (size_t c = 0; c < chunks.writes.size(); ++c) {
    for (size_t i = 0; i < chunks.writes[c].target.size(); ++i) {
      const rpcrdma::Segment& target = chunks.writes[c].target[i];
      visit(AdvertisedSegment{flow::ChunkKind::write, c, i, &target, target.at});
    }
  }
  for (const rpcrdma::WriteChunk& chunk : chunks.reply) {
    for (size_t i = 0; i < chunk.target.size(); ++i) {
      visit(AdvertisedSegment{flow::ChunkKind::reply, 0, i, &chunk.target[i], chunk.target[i].at});
    }
  }
}

inline bool advertises_handle(const rpcrdma::ChunkLists& chunks, uint32_t handle) {
  bool found = false;
  each_advertised(chunks, [&](const AdvertisedSegment& one) { found |= one.target->handle == handle; });
  return found;
}

}  // namespace steertag::rules
