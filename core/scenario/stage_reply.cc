// Replies: what was moved through the Call's chunks decides what is returned in
// them, how long the results are, and whether the message travels inline. A Read
// chunk of the Reply (RFC 5666 §3.5) carries a result, or all of it.
#include <fmt/core.h>

#include <algorithm>

#include "scenario/stage.h"

namespace steertag::scenario {

using Kind = ChunkSpec::Kind;

namespace {

const ChunkSpec* nth(const MessageLine& line, Kind kind, size_t n) {
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.kind == kind && n-- == 0) {
      return &spec;
    }
  }
  return nullptr;
}

const Chunk* nth(const Call& call, Kind kind, size_t n) {
  for (const Chunk& chunk : call.chunks) {
    if (chunk.kind == kind && n-- == 0) {
      return &chunk;
    }
  }
  return nullptr;
}

uint64_t advertised_by(const ChunkSpec& spec) {
  uint64_t total = 0;
  for (const SegmentSpec& segment : spec.segments) {
    total += segment.length.value_or(0);
  }
  return std::min<uint64_t>(total, UINT32_MAX);
}

// Bytes that the Reply says are in the n-th Write chunk.
uint32_t returned_length(const Call& call, const MessageLine& line, size_t n) {
  const Chunk* chunk = nth(call, Kind::write, n);
  const ChunkSpec* spec = nth(line, Kind::write, n);
  if (!spec) {
    return chunk ? chunk->moved() : 0;
  }
  return static_cast<uint32_t>(advertised_by(*spec));
}

}  // namespace

// The Reply as an RPC message, and which results are left out of it: those that Write chunks carry, and of
// the others one for each Read chunk of the Reply.
Stage::Results Stage::results(const Call& call, const MessageLine& line) {
  BulkSizes sizes;
  sizes.session = line.rpc.session;
  sizes.rest = line.rpc.data.value_or(call.asked.rest);
  Results made;
  for (size_t i = 0; nth(call, Kind::write, i); ++i) {
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
    const uint64_t length = advertised_by(spec);
    sizes.listed[item] = line.rpc.data.value_or(length != 0 ? static_cast<uint32_t>(length) : sizes.rest);
  }
  made.rpc = build_reply(line.rpc, call.rpc, call.procedure, line.xid.value_or(call.xid), sizes, problem_);
  return made;
}

// What is left of it for the inline bytes, or the Reply chunk.
std::vector<uint8_t> Stage::reply_stream(const Call& call, const MessageLine& line) {
  const Results made = results(call, line);
  return reduce(made.rpc, made.travels);
}

// The Read chunks of a Reply, filled; `stream` is what one of Position zero carries.
void Stage::advertise_results(Call& call, const MessageLine& line, const Results& results, Bytes stream) {
  size_t next = 0;
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.kind != Kind::read) {
      continue;
    }
    BulkItem item{0, static_cast<uint32_t>(spec.position == 0u ? stream.size() : 0)};
    Bytes content = slice(stream, 0, item.length);
    if (!spec.position) {
      const size_t number = results.by_read[next++];
      const bool known = number < results.rpc.items.size();
      item =
          known ? results.rpc.items[number] : BulkItem{static_cast<uint32_t>(results.rpc.stream.size()), 0};
      content = slice(results.rpc.stream, item.position, item.length);
    }
    Chunk& chunk = call.chunks.emplace_back(allocate(spec, item.length));
    chunk.of_reply = true;
    chunk.position = spec.position.value_or(item.position);
    chunk.content.assign(content.begin(), content.end());
    call.owes_done = true;
  }
}

// The chunk lists of the Reply: the Call's, with the lengths that came back,
// unless the line spells them out.
rpcrdma::ChunkLists Stage::returned(const Call& call, const MessageLine& line, bool inlined) {
  rpcrdma::ChunkLists lists;
  for (const Chunk& chunk : call.chunks) {
    for (const Chunk::Piece& piece : chunk.pieces) {
      if (chunk.of_reply) {
        lists.reads.push_back({chunk.position, piece.target, {}});
      }
    }
  }
  for (const Kind kind : {Kind::write, Kind::reply}) {
    const ChunkSpec* first = nth(line, kind, 0);
    for (size_t n = 0; !(first && first->none) && (nth(call, kind, n) || nth(line, kind, n)); ++n) {
      const Chunk* advertised = nth(call, kind, n);
      const ChunkSpec* spec = nth(line, kind, n);
      rpcrdma::WriteChunk& made = kind == Kind::write ? lists.writes.add() : lists.reply.add();
      made.target.clear();
      const size_t count = spec ? spec->segments.size() : advertised ? advertised->pieces.size() : 0;
      for (size_t i = 0; i < count; ++i) {
        rpcrdma::Segment segment;
        if (advertised && i < advertised->pieces.size()) {
          segment = advertised->pieces[i].target;
          segment.length = kind == Kind::reply && inlined ? 0 : advertised->pieces[i].moved;
        } else {
          segment.handle = next_handle_++;
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

// A Call that the scenario did not show: NFSv3 NULL, with that XID.
Call Stage::unknown_call(const Statement& at, const MessageLine& line) const {
  Call call;
  call.connection = at.connection;
  call.requester = rdma::other(at.from);
  call.xid = *line.xid;
  call.version = line.version.value_or(script_.version);
  return call;
}

void Stage::serve(const Statement& at, Call& call, Ahead ahead) {
  OperationLine read;
  read.read = true;
  move_all(at, call, read, ahead);
  move_all(at, call, OperationLine{}, ahead);
}

rpcrdma::TransportHeader Stage::reply_header(const Call& call, const MessageLine& line, bool inlined) {
  rpcrdma::TransportHeader header;
  header.xid = call.xid;
  header.version = line.version.value_or(call.version);
  header.credit = line.credit.value_or(script_.credits);
  header.procedure = inlined ? 0 : 1;
  if (line.padding) {
    header.procedure = static_cast<uint32_t>(rpcrdma::v1::Proc::msgp);
    header.padding = line.padding;
  }
  header.chunks = returned(call, line, inlined);
  if (header.version == 2) {
    header.direction = rpcrdma::MsgType::reply;
    header.inv_handle = line.inv ? handle_of(*line.inv) : call.inv_handle;
  }
  return header;
}

// Unset where there is none to invalidate; `version`: the Reply's.
std::optional<uint32_t> Stage::invalidated(const Call& call, const MessageLine& line, uint32_t version) {
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
  problem_.say("The Call advertises no handle to invalidate; say which one, as in invalidate=0x8f01.");
  return std::nullopt;
}

void Stage::reply(const Statement& at, const MessageLine& line, Ahead ahead) {
  Call unknown;
  Call* call = open_call(at.connection, rdma::other(at.from), line.xid);
  if (!call) {
    if (!line.xid) {
      return problem_.say(
          fmt::format("There is no open Call from the {} on this connection; say xid=N to reply anyway.",
                      at.from == kServer ? "client" : "server"));
    }
    unknown = unknown_call(at, line);
    call = &unknown;
  }
  if (line.serve) {
    serve(at, *call, ahead);
  }
  const Chunk* reply_chunk = nth(*call, Kind::reply, 0);
  const bool left_to_be_read = std::any_of(line.chunks.begin(), line.chunks.end(), [](const ChunkSpec& spec) {
    return spec.kind == Kind::read && spec.position == 0u;
  });
  const bool inlined = line.inlined.value_or(!left_to_be_read && (!reply_chunk || reply_chunk->moved() == 0));
  const Results made = results(*call, line);
  if (problem_.any() || !afford(2 * made.rpc.stream.size())) {
    return;
  }
  std::vector<uint8_t> stream = reduce(made.rpc, made.travels);
  advertise_results(*call, line, made, stream);

  rpcrdma::TransportHeader header = reply_header(*call, line, inlined);
  const std::optional<uint32_t> invalidate = invalidated(*call, line, header.version);
  if (problem_.any()) {
    return;
  }
  if (line.by_option) {
    wrap(line, rpcrdma::MsgType::reply, header);
  }
  call->open = false;
  pad(line, header, made.rpc, stream);
  send(at, line, header, inlined ? Bytes(stream) : Bytes{}, line.plain ? std::nullopt : invalidate);
  if (call == &unknown && call->owes_done) {
    remember(std::move(unknown));  // its memory is still to be read
  }
}

}  // namespace steertag::scenario
