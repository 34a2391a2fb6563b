#include "diff/usage.h"

#include <algorithm>

namespace steertag::diff {
namespace {

Chunk chunk_of(const flow::SegmentFlow& segment) {
  switch (segment.kind) {
    case flow::ChunkKind::read:
      return segment.position == 0 ? Chunk::position_zero : Chunk::read;
    case flow::ChunkKind::write:
      return Chunk::write;
    case flow::ChunkKind::reply:
      return Chunk::reply;
    case flow::ChunkKind::result:
      return Chunk::result;
  }
  return Chunk::read;
}

// Of the Call, or of the Reply, as far as this segment says.
Form call_form(const flow::SegmentFlow& segment) {
  return segment.kind != flow::ChunkKind::read ? Form::plain
         : segment.position == 0               ? Form::lengthy
                                               : Form::reduced;
}
Form reply_form(const flow::SegmentFlow& segment) {
  const bool returned = segment.returned.value_or(0) != 0;
  switch (segment.kind) {
    case flow::ChunkKind::read:
      return Form::plain;
    case flow::ChunkKind::write:
      return returned ? Form::reduced : Form::plain;
    case flow::ChunkKind::reply:
      return returned ? Form::lengthy : Form::plain;
    case flow::ChunkKind::result:
      return segment.position == 0 ? Form::lengthy : Form::reduced;
  }
  return Form::plain;
}

}  // namespace

void ChunkUse::add(const ChunkUse& other) {
  rpcs += other.rpcs;
  segments += other.segments;
  advertised += other.advertised;
  moved += other.moved;
}

void Usage::add(const flow::Exchange& exchange) {
  std::array<bool, kChunks> has{};
  Form call = Form::plain, reply = Form::plain;
  bool advertised = false;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    const auto chunk = static_cast<size_t>(chunk_of(segment));
    ChunkUse& use = chunks[chunk];
    has[chunk] = true;
    advertised |= segment.kind != flow::ChunkKind::result;
    ++use.segments;
    use.advertised += segment.target.length;
    use.moved += segment.moved().total();
    call = std::max(call, call_form(segment));
    reply = std::max(reply, reply_form(segment));
  }
  for (size_t chunk = 0; chunk < kChunks; ++chunk) {
    chunks[chunk].rpcs += has[chunk] ? 1 : 0;
  }
  if (exchange.call && exchange.call_legible) {
    ++calls[static_cast<size_t>(call)];
  }
  if (exchange.status != flow::Status::complete) {
    return;
  }
  if (exchange.reply_legible) {
    ++replies[static_cast<size_t>(reply)];
  }
  if (advertised) {
    ++with_chunks;
    invalidated += exchange.invalidated ? 1 : 0;
  }
}

void Usage::add(const Usage& other) {
  for (size_t form = 0; form < kForms; ++form) {
    calls[form] += other.calls[form];
    replies[form] += other.replies[form];
  }
  for (size_t chunk = 0; chunk < kChunks; ++chunk) {
    chunks[chunk].add(other.chunks[chunk]);
  }
  with_chunks += other.with_chunks;
  invalidated += other.invalidated;
}

}  // namespace steertag::diff
