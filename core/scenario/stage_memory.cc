// RDMA Reads and Writes: which memory a line means, in how many operations, and
// what travels.
#include <fmt/core.h>

#include <algorithm>

#include "scenario/stage.h"

namespace steertag::scenario {

using Kind = ChunkSpec::Kind;

namespace {

constexpr uint32_t kMaxOperation = 16 * 1024 * 1024;  // bytes of one RDMA Read or Write
constexpr size_t kLookahead = 1000;                   // lines searched for a Call's Reply

const MessageLine* find_reply(Stage::Ahead ahead, const Call& call) {
  for (const Statement& statement : ahead.first(std::min(ahead.size(), kLookahead))) {
    if (statement.connection != call.connection) {
      continue;
    }
    if (const auto* burst = std::get_if<BurstLine>(&statement.action)) {
      if (const MessageLine* found = find_reply(burst->lines, call)) {
        return found;
      }
    }
    const auto* line = std::get_if<MessageLine>(&statement.action);
    if (line && line->what == MessageLine::What::reply && statement.from != call.requester &&
        line->xid.value_or(call.xid) == call.xid) {
      return line;
    }
  }
  return nullptr;
}

}  // namespace

void Stage::operation(const Statement& at, const OperationLine& line, Ahead ahead) {
  if (!line.target) {
    Call* call = open_call(at.connection, rdma::other(at.from), line.xid);
    if (!call && line.read) {
      call = answered_call(at.connection, at.from, line.xid);
    }
    if (!call) {
      return problem_.say(
          "There is no open Call whose chunks this could refer to; name a chunk or a handle.");
    }
    return move_all(at, *call, line, ahead);
  }
  if (line.target->chunk.empty()) {
    return move_memory(at, line, ahead);
  }
  if (const Place found = find_chunk(line.target->chunk); found.chunk) {
    move_chunk(at, *found.call, *found.chunk, line, ahead);
  }
}

// Read: every Read chunk, of the Call or, by its Requester, of the Reply. Write: every Write chunk; the Reply
// chunk where there is none.
void Stage::move_all(const Statement& at, Call& call, const OperationLine& line, Ahead ahead) {
  const auto has = [&](Kind kind) {
    return std::any_of(call.chunks.begin(), call.chunks.end(),
                       [&](const Chunk& chunk) { return chunk.kind == kind; });
  };
  const Kind kind = line.read ? Kind::read : has(Kind::write) ? Kind::write : Kind::reply;
  for (Chunk& chunk : call.chunks) {
    if (chunk.kind == kind && chunk.of_reply == (call.requester == at.from)) {
      move_chunk(at, call, chunk, line, ahead);
    }
  }
}

// What the chunk holds, or is to hold.
std::vector<uint8_t> Stage::content(const Statement& at, const Call& call, const Chunk& chunk, Ahead ahead) {
  if (chunk.kind == Kind::read) {
    return chunk.content;
  }
  if (chunk.kind == Kind::write) {
    return pattern(std::min<uint32_t>(chunk.advertised(), kMaxOperation), 7);
  }
  const auto* self = std::get_if<MessageLine>(&at.action);  // `serve` is its own Reply
  const MessageLine* line = self && self->what == MessageLine::What::reply ? self : find_reply(ahead, call);
  return reply_stream(call, line ? *line : MessageLine{});
}

void Stage::move_chunk(const Statement& at, Call& call, Chunk& chunk, const OperationLine& line,
                       Ahead ahead) {
  const uint32_t segment = line.target ? line.target->segment : 0;
  if (segment > chunk.pieces.size()) {
    return problem_.say(fmt::format("Chunk @{} has {} segments.", chunk.name, chunk.pieces.size()));
  }
  if (!afford(chunk.kind == Kind::read ? 0 : chunk.advertised())) {
    return;
  }
  const std::vector<uint8_t> bytes = content(at, call, chunk, ahead);
  const bool fill = chunk.kind == Kind::reply && !line.read;
  const uint64_t begin = line.skip;
  const uint64_t end = line.length ? begin + *line.length : fill && segment == 0 ? bytes.size() : UINT64_MAX;
  for (size_t i = 0; i < chunk.pieces.size() && !problem_.any(); ++i) {
    Chunk::Piece& piece = chunk.pieces[i];
    if (segment != 0 && i != segment - 1) {
      continue;
    }
    const bool last = segment != 0 || i + 1 == chunk.pieces.size();
    const uint64_t base = segment != 0 ? 0 : piece.at;
    const uint64_t from = std::max(begin, base);
    const uint64_t limit = base + piece.target.length;
    const uint64_t to = last && line.length ? end : std::min(end, limit);
    if (to <= from && !(segment != 0 || chunk.pieces.size() == 1)) {
      continue;
    }
    const uint64_t skip = from - base;
    const auto length = static_cast<uint32_t>(std::min<uint64_t>(to > from ? to - from : 0, UINT32_MAX));
    move(at, {&call, &chunk, &piece}, {piece.target.handle, piece.target.offset + skip, length},
         slice(bytes, piece.at + skip), line);
  }
}

// A handle, with or without length and offset.
void Stage::move_memory(const Statement& at, const OperationLine& line, Ahead ahead) {
  const SegmentSpec& spec = line.target->memory;
  const uint32_t handle = spec.handle.value_or(0);
  const Place found = find_handle(handle, at.connection);
  const std::optional<uint32_t> length = line.length ? line.length : spec.length;
  if (!found.piece && !length) {
    return problem_.say(
        fmt::format("No Call before this line advertises handle 0x{0:08x}: say how many bytes, as in "
                    "0x{0:x}:4096@0x10000.",
                    handle));
  }
  rdma::Memory memory{handle, spec.offset.value_or(found.piece ? found.piece->target.offset : 0) + line.skip,
                      0};
  memory.length = length.value_or(
      found.piece && found.piece->target.length > line.skip ? found.piece->target.length - line.skip : 0);
  std::vector<uint8_t> bytes;
  if (found.piece && afford(found.chunk->advertised())) {
    bytes = content(at, *found.call, *found.chunk, ahead);
    const uint64_t into = memory.offset - found.piece->target.offset;
    const Bytes rest = slice(bytes, into < bytes.size() ? found.piece->at + into : bytes.size());
    bytes = std::vector<uint8_t>(rest.begin(), rest.end());
  }
  move(at, found, memory, bytes, line);
}

// One RDMA operation. `content` may be shorter than the memory: what is missing is made up.
void Stage::move(const Statement& at, Place place, rdma::Memory memory, Bytes content,
                 const OperationLine& line) {
  if (place.piece) {
    const uint64_t end = memory.offset - place.piece->target.offset + memory.length;
    place.piece->moved = std::max(place.piece->moved,
                                  static_cast<uint32_t>(std::min<uint64_t>(end, place.piece->target.length)));
  }
  memory.handle = line.handle.value_or(memory.handle);
  memory.offset = line.offset.value_or(memory.offset);
  const uint32_t carried = line.read ? line.deliver.value_or(memory.length) : memory.length;
  if (std::max(carried, memory.length) > kMaxOperation) {
    return problem_.say(fmt::format(
        "One RDMA operation moves at most {} bytes here; say how many, as in \"write @data 4096\".",
        kMaxOperation));
  }
  Transport& wire = transport(at.connection);
  if (!afford(wire.cost(carried))) {
    return;
  }
  const Bytes known = slice(content, 0, carried);
  std::vector<uint8_t> data(known.begin(), known.end());
  const std::vector<uint8_t> made_up = pattern(carried - data.size(), memory.handle);
  data.insert(data.end(), made_up.begin(), made_up.end());
  if (line.read) {
    wire.read(at.from, memory, data);
  } else {
    wire.write(at.from, memory, data, line.immediate);
  }
}

}  // namespace steertag::scenario
