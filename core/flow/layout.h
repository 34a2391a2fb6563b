// Layout: the parts of one RPC message, in the order of its bytes: what was sent inline,
// and what travelled in chunks, in its place (RFC 8166 §3.4.5, §3.4.6). The bytes stay
// where they are; whoever wants them in one piece copies them.
//
//   Layout layout;
//   if (lay_out_call(exchange, layout)) {
//     for (const Stretch& stretch : layout.stretches()) ... each_captured(stretch, copy);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stretch.h"
#include "flow/exchange.h"
#include "nfs/walk.h"
#include "rpcrdma/header.h"

namespace steertag::flow {

using base::each_captured;
using base::Stretch;

class Layout {
 public:
  void clear();

  // Adds what has no Position: the inline bytes, or the segments of one chunk, in order.
  void append(const Stretch& stretch);
  // Adds a segment of the Read chunk at `position`. Those of Position zero, which is a whole message, replace
  // all that was appended.
  void insert(uint32_t position, const Stretch& stretch);
  // Once all is there: puts each Read chunk in its place, padded to a multiple of four. False where a
  // Position is behind the end, or inside of the chunk before it (RFC 8166 §4.3.1.1).
  bool put_in_place();

  std::span<const Stretch> stretches() const { return stretches_; }
  uint64_t length() const { return length_; }  // bytes of them all
  // The Read chunks that were put in place, but for that of Position zero; in the order of their places.
  std::span<const nfs::PlacedChunk> chunks() const { return chunks_; }

 private:
  struct ReadSegment {
    uint32_t position = 0;
    size_t number = 0;  // in order of insert(): segments of one chunk stay in it
    Stretch stretch;
  };

  std::vector<Stretch> stretches_;
  uint64_t length_ = 0;
  std::vector<ReadSegment> reads_;  // yet to be put in place
  std::vector<Stretch> apart_;      // what they are put into, while they are
  std::vector<nfs::PlacedChunk> chunks_;
};

// Whether the segments that a Reply returns in its Reply chunk are those of its Call, from the first one on,
// whatever their lengths (RFC 8166 §4.3.3).
bool advertises_reply_chunk(const Exchange& exchange, const rpcrdma::ChunkLists& returned);

// The Call, with its Read chunks. False where there is none, or its Positions cannot be.
bool lay_out_call(const Exchange& exchange, Layout& into);

// A Reply, with the Read chunks that it may have (RFC 5666 §3.5). `inlined` is what was sent inline; where
// that is nothing, or the Reply is `nomsg`, the message is in the Reply chunk, or in a Read chunk of Position
// zero. What Write chunks carry is left out: where it belongs only the upper layer knows. False as above, and
// where the Reply chunk is not the Call's.
// `returned`: the Reply's chunk lists, where the Exchange has not heard of it yet; null: it has.
bool lay_out_reply(const Exchange& exchange, bool nomsg, const Stretch& inlined,
                   const rpcrdma::ChunkLists* returned, Layout& into);
// The same of the Exchange's own Reply.
bool lay_out_reply(const Exchange& exchange, Layout& into);

// `stream`, with the RPC header that was read when the message came: it is the front of what is inline. As it
// is where the message was not kept, and of an RDMA_MSGP, whose walk begins anew with each reading of its
// pad.
nfs::Stream with_header(nfs::Stream stream, const KeptMessage& message);

// Appends what the chunk of this kind, and of this number where it is a Write chunk, has `returned`.
void lay_out_returned(const Exchange& exchange, ChunkKind kind, uint32_t chunk,
                      const rpcrdma::WriteChunk& returned, Layout& into);

}  // namespace steertag::flow
