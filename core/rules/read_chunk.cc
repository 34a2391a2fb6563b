#include "rules/read_chunk.h"

#include <algorithm>
#include <tuple>

#include "nfs/cursor.h"

namespace steertag::rules {

void collect(const rpcrdma::ChunkLists& from, base::List<ReadChunk>& chunks) {
  chunks.clear();
  for (const rpcrdma::ReadSegment& segment : from.reads) {
    const uint32_t length = segment.target.length;
    if (segment.position != 0 && length != 0) {
      chunks.push_back({segment.position, length, length, segment.at, ReadChunk::Carries::unknown, 0});
    }
  }
  std::sort(chunks.begin(), chunks.end(), [](const ReadChunk& x, const ReadChunk& y) {
    return std::tie(x.position, x.at.offset) < std::tie(y.position, y.at.offset);
  });
  // Segments at one Position are one chunk.
  ReadChunk* joined = chunks.begin();
  for (const ReadChunk& next : chunks) {
    if (&next == chunks.begin()) {
      continue;
    }
    if (next.position == joined->position) {
      joined->length += next.length;
      joined->last = next.last;
    } else {
      *++joined = next;
    }
  }
  while (!chunks.empty() && &chunks.back() != joined) {
    chunks.drop_last();
  }
}

void match(const nfs::Walk& walk, base::List<ReadChunk>& chunks) {
  for (ReadChunk& chunk : chunks) {
    bool passed = walk.offset >= chunk.position || walk.operations_walked();
    for (const nfs::Item& item : walk.items) {
      if (item.position == chunk.position) {
        chunk.carries = ReadChunk::Carries::item;
        chunk.count = item.count;
      }
      passed |= item.position < chunk.position && chunk.position - item.position < nfs::padded(item.count);
    }
    if (chunk.carries == ReadChunk::Carries::unknown && passed && chunk.position % 4 == 0) {
      chunk.carries = ReadChunk::Carries::no_item;
    }
    if (chunk.carries != ReadChunk::Carries::item || nfs::padded(chunk.length) != nfs::padded(chunk.count)) {
      return;
    }
  }
}

}  // namespace steertag::rules
