#include "scenario/reduction.h"

#include <algorithm>

namespace steertag::scenario {

using Kind = ChunkSpec::Kind;

namespace {

constexpr uint32_t kDefaultData = 100;    // bytes of file data, where nothing says how many
constexpr uint32_t kReplyOverhead = 256;  // bytes of a Reply chunk that directory entries leave free

uint32_t length_of(const ChunkSpec& spec) {
  return sum_of(spec.segments, [](const SegmentSpec& segment) { return segment.length.value_or(0); });
}

// How long the Call's own bulk items are: as long as the Read chunks that carry them.
BulkSizes argument_sizes(const MessageLine& line) {
  BulkSizes sizes;
  sizes.session = line.rpc.session;
  sizes.rest = line.rpc.data.value_or(kDefaultData);
  for (const ChunkSpec& chunk : line.chunks) {
    if (chunk.kind == Kind::read && !chunk.whole_message()) {
      const bool open = std::any_of(chunk.segments.begin(), chunk.segments.end(),
                                    [](const SegmentSpec& segment) { return !segment.length; });
      sizes.listed.push_back(line.rpc.data.value_or(open ? kDefaultData : length_of(chunk)));
    }
  }
  return sizes;
}

// How much the Call asks for: as much as its Write chunks, or its Reply chunk, hold.
BulkSizes result_sizes(const MessageLine& line) {
  BulkSizes sizes;
  sizes.rest = line.rpc.data.value_or(kDefaultData);
  for (const ChunkSpec& chunk : line.chunks) {
    const uint32_t length = length_of(chunk);
    if (chunk.kind == Kind::write) {
      sizes.listed.push_back(line.rpc.data.value_or(length));
    } else if (chunk.kind == Kind::reply && !line.rpc.data) {
      sizes.rest = length > 2 * kReplyOverhead ? length - kReplyOverhead : kDefaultData;
    }
  }
  return sizes;
}

bool carries_data(const Procedure& procedure) {
  return procedure.family == Family::nfs3
             ? procedure.procedure == 7 || procedure.procedure == 10
             : std::find(procedure.operations.begin(), procedure.operations.end(), 38u) !=
                   procedure.operations.end();
}

void list_reads(const Call& call, bool of_reply, rpcrdma::ChunkLists& into) {
  for (const Chunk& chunk : call.chunks) {
    if (chunk.kind == Kind::read && chunk.of_reply == of_reply) {
      for (const Chunk::Piece& piece : chunk.pieces) {
        into.reads.push_back({chunk.position, piece.target, {}});
      }
    }
  }
}

// Bytes that the Reply says are in the n-th Write chunk.
uint32_t returned_length(const Call& call, const MessageLine& line, size_t n) {
  const Chunk* chunk = nth(call.chunks, Kind::write, n);
  const ChunkSpec* spec = nth(line.chunks, Kind::write, n);
  return spec ? length_of(*spec) : chunk ? chunk->moved() : 0;
}

}  // namespace

bool whole_in_chunk(const MessageLine& line) {
  return std::any_of(line.chunks.begin(), line.chunks.end(),
                     [](const ChunkSpec& spec) { return spec.whole_message(); });
}

RpcMessage call_message(const MessageLine& line, Call& call, Problem& problem) {
  const BulkSizes arguments = argument_sizes(line), asked = result_sizes(line);
  call.asked = carries_data(call.procedure) ? BulkSizes{{}, arguments.at(0)} : asked;
  return build_call(line.rpc, call.procedure, call.xid, arguments, asked, problem);
}

std::vector<uint8_t> place(const MessageLine& line, const RpcMessage& rpc, Call& call, Allocator& allocator) {
  const size_t carried = argument_sizes(line).listed.size();
  std::vector<bool> travels(rpc.items.size());
  std::fill_n(travels.begin(), std::min(carried, travels.size()), true);
  std::vector<uint8_t> inlined = reduce(rpc, travels);

  size_t next = 0;
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.whole_message()) {
      call.chunks.push_back(allocator.allocate(spec, static_cast<uint32_t>(inlined.size())));
      call.chunks.back().content = inlined;
    } else if (spec.kind != Kind::read) {
      call.chunks.push_back(allocator.allocate(spec, kDefaultData));
    } else {
      const bool known = next < rpc.items.size();
      const BulkItem item =
          known ? rpc.items[next++] : BulkItem{static_cast<uint32_t>(rpc.stream.size()), kDefaultData};
      Chunk& chunk = call.chunks.emplace_back(allocator.allocate(spec, item.length));
      chunk.position = spec.position.value_or(item.position);
      const Bytes data = slice(rpc.stream, item.position, item.length);
      chunk.content.assign(data.begin(), data.end());
    }
  }
  return inlined;
}

rpcrdma::ChunkLists chunk_lists(const Call& call) {
  rpcrdma::ChunkLists lists;
  list_reads(call, false, lists);
  for (const Chunk& chunk : call.chunks) {
    if (chunk.kind != Kind::read) {
      rpcrdma::WriteChunk& made = chunk.kind == Kind::write ? lists.writes.add() : lists.reply.add();
      made.target.clear();
      for (const Chunk::Piece& piece : chunk.pieces) {
        made.target.push_back(piece.target);
      }
    }
  }
  return lists;
}

Results results(const Call& call, const MessageLine& line, Problem& problem) {
  BulkSizes sizes;
  sizes.session = line.rpc.session;
  sizes.rest = line.rpc.data.value_or(call.asked.rest);
  Results made;
  for (size_t i = 0; nth(call.chunks, Kind::write, i); ++i) {
    const uint32_t length = returned_length(call, line, i);
    sizes.listed.push_back(line.rpc.data.value_or(length));
    made.travels.push_back(length != 0);
  }
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.kind != Kind::read || spec.position) {
      continue;
    }
    const auto item = static_cast<size_t>(std::find(made.travels.begin(), made.travels.end(), false) -
                                          made.travels.begin());
    made.travels.resize(std::max(made.travels.size(), item + 1));
    sizes.listed.resize(made.travels.size(), sizes.rest);
    made.travels[item] = true;
    made.by_read.push_back(item);
    const uint32_t length = length_of(spec);
    sizes.listed[item] = line.rpc.data.value_or(length != 0 ? length : sizes.rest);
  }
  made.rpc = build_reply(line.rpc, call.rpc, call.procedure, line.xid.value_or(call.xid), sizes, problem);
  return made;
}

void advertise_results(Call& call, const MessageLine& line, const Results& results, Bytes stream,
                       Allocator& allocator) {
  size_t next = 0;
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.kind != Kind::read) {
      continue;
    }
    BulkItem item{0, static_cast<uint32_t>(spec.whole_message() ? stream.size() : 0)};
    Bytes content = slice(stream, 0, item.length);
    if (!spec.position) {
      const size_t number = results.by_read[next++];
      const bool known = number < results.rpc.items.size();
      item =
          known ? results.rpc.items[number] : BulkItem{static_cast<uint32_t>(results.rpc.stream.size()), 0};
      content = slice(results.rpc.stream, item.position, item.length);
    }
    Chunk& chunk = call.chunks.emplace_back(allocator.allocate(spec, item.length));
    chunk.of_reply = true;
    chunk.position = spec.position.value_or(item.position);
    chunk.content.assign(content.begin(), content.end());
    call.owes_done = true;
  }
}

rpcrdma::ChunkLists returned(const Call& call, const MessageLine& line, bool inlined, Allocator& allocator) {
  rpcrdma::ChunkLists lists;
  list_reads(call, true, lists);
  for (const Kind kind : {Kind::write, Kind::reply}) {
    const ChunkSpec* first = nth(line.chunks, kind, 0);
    for (size_t n = 0; !(first && first->none) && (nth(call.chunks, kind, n) || nth(line.chunks, kind, n));
         ++n) {
      const Chunk* advertised = nth(call.chunks, kind, n);
      const ChunkSpec* spec = nth(line.chunks, kind, n);
      rpcrdma::WriteChunk& made = kind == Kind::write ? lists.writes.add() : lists.reply.add();
      made.target.clear();
      const size_t count = spec ? spec->segments.size() : advertised ? advertised->pieces.size() : 0;
      for (size_t i = 0; i < count; ++i) {
        rpcrdma::Segment segment;
        if (advertised && i < advertised->pieces.size()) {
          segment = advertised->pieces[i].target;
          segment.length = kind == Kind::reply && inlined ? 0 : advertised->pieces[i].moved;
        } else {
          segment.handle = allocator.handle();
        }
        if (spec) {
          segment.handle = spec->segments[i].handle.value_or(segment.handle);
          segment.length = spec->segments[i].length.value_or(segment.length);
          segment.offset = spec->segments[i].offset.value_or(segment.offset);
        }
        made.target.push_back(segment);
      }
    }
  }
  return lists;
}

std::optional<uint32_t> invalidated(const Call& call, const MessageLine& line, uint32_t version,
                                    Problem& problem) {
  // version-two-02 §5.2.3: the Responder should use the handle that the Call advertised for it.
  if (version == 2 && call.inv_handle != 0) {
    return call.inv_handle;
  }
  if (!line.invalidate_default) {
    return std::nullopt;
  }
  for (const Chunk& chunk : call.chunks) {
    if (!chunk.of_reply && !chunk.pieces.empty()) {
      return chunk.pieces[0].target.handle;
    }
  }
  problem.say("The Call advertises no handle to invalidate; say which one, as in invalidate=0x8f01.");
  return std::nullopt;
}

}  // namespace steertag::scenario
