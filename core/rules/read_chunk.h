// ReadChunk: the Read segments of one Position other than zero, of a Call or of a Reply (RFC 5666 §3.5), and
// what a walk over the message shows that they carry. UpperLayer keeps those of the Exchange at hand. Pure
// functions: they judge nothing.
#pragma once

#include <cstdint>

#include "base/list.h"
#include "base/range.h"
#include "nfs/walk.h"
#include "rpcrdma/header.h"

namespace steertag::rules {

struct ReadChunk {
  uint32_t position = 0;
  uint64_t length = 0;  // bytes, of all segments; never 0
  uint32_t last = 0;    // bytes of the last segment
  Range at;             // of the first segment in the header

  // What the chunk carries. An item that a chunk of a wrong length or at a wrong
  // Position comes before cannot be known.
  enum class Carries : uint8_t { unknown, item, no_item };
  Carries carries = Carries::unknown;
  uint32_t count = 0;  // item: its bytes, as the count word in front of it says
};

// The chunks of a Read list, by Position.
void collect(const rpcrdma::ChunkLists& from, base::List<ReadChunk>& chunks);
// What stands in front of a chunk shows whether an item begins at its Position.
// Behind the first chunk that is not what it should be, nothing is known.
void match(const nfs::Walk& walk, base::List<ReadChunk>& chunks);

}  // namespace steertag::rules
