// Reduction: which part of an RPC message travels in chunks, which memory these
// have, and what the chunk lists of the transport header say of it. What was moved
// through a Call's chunks decides what the Reply returns in them, and how long the
// results are. A Read chunk of a Reply (RFC 5666 §3.5) carries a result, or all of it.
#pragma once

#include <optional>
#include <vector>

#include "rpcrdma/header.h"
#include "scenario/allocator.h"
#include "scenario/calls.h"

namespace steertag::scenario {

// The n-th of that kind, from 0; null where there are fewer.
template <typename ChunkOrSpec>
const ChunkOrSpec* nth(const std::vector<ChunkOrSpec>& chunks, ChunkSpec::Kind kind, size_t n) {
  for (const ChunkOrSpec& chunk : chunks) {
    if (chunk.kind == kind && n-- == 0) {
      return &chunk;
    }
  }
  return nullptr;
}

// Whether a Read chunk of the line carries the whole message.
bool whole_in_chunk(const MessageLine& line);

// The Call as an RPC message; sets what it asks for.
RpcMessage call_message(const MessageLine& line, Call& call, Problem& problem);
// Gives the Call its chunks, fills the Read chunks, and returns what is left of the message. The n-th Read
// chunk carries the n-th bulk item, if there is one; one of Position zero carries what is left.
std::vector<uint8_t> place(const MessageLine& line, const RpcMessage& rpc, Call& call, Allocator& allocator);
rpcrdma::ChunkLists chunk_lists(const Call& call);

// A Reply before its chunks are taken out of it.
struct Results {
  RpcMessage rpc;
  std::vector<bool> travels;    // by item: in a Write chunk, or a Read chunk of the Reply
  std::vector<size_t> by_read;  // the items that its Read chunks carry, in order

  // What is left of it for the inline bytes, or the Reply chunk.
  std::vector<uint8_t> stream() const { return reduce(rpc, travels); }
};
// Left out of the Reply are the results that Write chunks carry, and of the others one for each Read chunk of
// it.
Results results(const Call& call, const MessageLine& line, Problem& problem);
// Gives the Call the Read chunks of its Reply, filled; `stream` is what one of Position zero carries.
void advertise_results(Call& call, const MessageLine& line, const Results& results, Bytes stream,
                       Allocator& allocator);
// The chunk lists of the Reply: the Call's, with the lengths that came back, unless the line spells them out.
rpcrdma::ChunkLists returned(const Call& call, const MessageLine& line, bool inlined, Allocator& allocator);
// What the Reply invalidates; unset where there is nothing. `version`: the Reply's.
std::optional<uint32_t> invalidated(const Call& call, const MessageLine& line, uint32_t version,
                                    Problem& problem);

}  // namespace steertag::scenario
