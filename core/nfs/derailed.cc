#include "nfs/derailed.h"

#include <algorithm>
#include <vector>

#include "nfs/cursor.h"

namespace steertag::nfs {
namespace {

// The stretches of `stream` without its Read chunks and their padding: what was sent inline, or in the
// Position-Zero Read chunk.
std::vector<base::Stretch> without_chunks(const Stream& stream) {
  std::vector<base::Stretch> rest;
  auto chunk = stream.chunks.begin();
  uint64_t at = 0;  // of the stretch, or of what is left of it, in the stream
  for (base::Stretch stretch : stream.stretches()) {
    while (stretch.length != 0) {
      const bool inside = chunk != stream.chunks.end() && at >= chunk->at;
      const uint64_t end = chunk == stream.chunks.end() ? UINT64_MAX
                           : inside                     ? chunk->at + padded(chunk->length)
                                                        : chunk->at;
      base::Stretch part = stretch;
      part.length = std::min(stretch.length, end - at);
      if (!inside && part.length != 0) {
        rest.push_back(part);
      }
      at += part.length;
      stretch.at += part.length;
      stretch.length -= part.length;
      chunk += inside && at == end ? 1 : 0;
    }
  }
  return rest;
}

// Reads the operations that were sent, each behind the byte count of an item that a chunk may hold. False
// where that does not use up all inline bytes and all chunks.
bool read_inline(const Stream& stream, uint64_t begin, bool callback, Compound& into) {
  const std::vector<base::Stretch> pieces = without_chunks(stream);
  uint64_t length = 0;
  for (const base::Stretch& piece : pieces) {
    length += piece.length;
  }
  Stream bare(pieces, length);
  bare.chunks = stream.chunks;
  bare.apart = true;
  Walk walk;
  Cursor at(bare, begin, walk);
  walk_compound_arguments(at, callback, into);
  at.end();
  return walk.complete() && !at.chunks_left() && into.whole();
}

void take_back(CallWalk& into) {
  const Derailment& met = *into.derailment;
  into.reason = Reason::derailed;
  into.most_listed = met.most_listed;
  into.back_channel = met.back_channel;
  while (into.wanted.size() > met.wanted) {
    into.wanted.drop_last();
  }
  while (!into.sessions.empty() && into.sessions.back().operation >= met.operations) {
    into.sessions.drop_last();
  }
  into.compound.keep(met.operations);
}

}  // namespace

void settle_derailed(const Stream& stream, uint64_t begin, CallWalk& into) {
  Compound meant;
  const bool known = is_compound(into.rpc) && into.compound.counted &&
                     read_inline(stream, begin, into.compound.callback, meant);
  if (!known && into.complete()) {
    return;
  }
  take_back(into);
  if (known) {
    into.compound.operations = meant.operations;
  }
}

}  // namespace steertag::nfs
