#include "scenario/movement.h"

#include <algorithm>

#include "scenario/reduction.h"

namespace steertag::scenario {

using Kind = ChunkSpec::Kind;

namespace {

constexpr uint32_t kMaxOperation = 16 * 1024 * 1024;  // bytes of one RDMA Read or Write
constexpr size_t kLookahead = 1000;                   // lines searched for a Call's Reply

const MessageLine* find_reply(Ahead ahead, const Call& call) {
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

// What the chunk holds, or is to hold.
std::vector<uint8_t> content(const Movement& movement, const Call& call, const Chunk& chunk) {
  if (chunk.kind == Kind::read) {
    return chunk.content;
  }
  if (chunk.kind == Kind::write) {
    return pattern(std::min<uint32_t>(chunk.advertised(), kMaxOperation), 7);
  }
  const auto* self = std::get_if<MessageLine>(&movement.at.action);  // `serve` is its own Reply
  const MessageLine* line =
      self && self->what == MessageLine::What::reply ? self : find_reply(movement.ahead, call);
  return results(call, line ? *line : MessageLine{}, movement.problem).stream();
}

// One RDMA operation. `content` may be shorter than the memory: what is missing is made up.
void move(const Movement& movement, Chunk::Piece* piece, rdma::Memory memory, Bytes content) {
  const OperationLine& line = movement.line;
  if (piece) {
    const uint64_t end = memory.offset - piece->target.offset + memory.length;
    piece->moved =
        std::max(piece->moved, static_cast<uint32_t>(std::min<uint64_t>(end, piece->target.length)));
  }
  memory.handle = line.handle.value_or(memory.handle);
  memory.offset = line.offset.value_or(memory.offset);
  const uint32_t carried = line.read ? line.deliver.value_or(memory.length) : memory.length;
  if (std::max(carried, memory.length) > kMaxOperation) {
    return movement.problem.say(fmt::format(
        "One RDMA operation moves at most {} bytes here; say how many, as in \"write @data 4096\".",
        kMaxOperation));
  }
  if (!movement.expense.afford(movement.wire.cost(carried))) {
    return;
  }
  const Bytes known = slice(content, 0, carried);
  std::vector<uint8_t> data(known.begin(), known.end());
  const std::vector<uint8_t> made_up = pattern(carried - data.size(), memory.handle);
  data.insert(data.end(), made_up.begin(), made_up.end());
  if (line.read) {
    movement.wire.read(movement.at.from, memory, data);
  } else {
    movement.wire.write(movement.at.from, memory, data, line.immediate);
  }
}

}  // namespace

void Movement::move_all(Call& call) const {
  const Kind kind = line.read ? Kind::read : nth(call.chunks, Kind::write, 0) ? Kind::write : Kind::reply;
  for (Chunk& chunk : call.chunks) {
    if (chunk.kind == kind && chunk.of_reply == (call.requester == at.from)) {
      move_chunk(call, chunk);
    }
  }
}

void Movement::move_chunk(Call& call, Chunk& chunk) const {
  const uint32_t segment = line.target ? line.target->segment : 0;
  if (segment > chunk.pieces.size()) {
    return problem.say(fmt::format("Chunk @{} has {} segments.", chunk.name, chunk.pieces.size()));
  }
  if (!expense.afford(chunk.kind == Kind::read ? 0 : chunk.advertised())) {
    return;
  }
  const std::vector<uint8_t> bytes = content(*this, call, chunk);
  const bool fill = chunk.kind == Kind::reply && !line.read;
  const uint64_t begin = line.skip;
  const uint64_t end = line.length ? begin + *line.length : fill && segment == 0 ? bytes.size() : UINT64_MAX;
  for (size_t i = 0; i < chunk.pieces.size() && !problem.any(); ++i) {
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
    move(*this, &piece, {piece.target.handle, piece.target.offset + skip, length},
         slice(bytes, piece.at + skip));
  }
}

void Movement::move_memory(const Place& found) const {
  const SegmentSpec& spec = line.target->memory;
  const uint32_t handle = spec.handle.value_or(0);
  const std::optional<uint32_t> length = line.length ? line.length : spec.length;
  if (!found.piece && !length) {
    return problem.say(
        fmt::format("No Call before this line advertises handle 0x{0:08x}: say how many bytes, as in "
                    "0x{0:x}:4096@0x10000.",
                    handle));
  }
  rdma::Memory memory{handle, spec.offset.value_or(found.piece ? found.piece->target.offset : 0) + line.skip,
                      0};
  memory.length = length.value_or(
      found.piece && found.piece->target.length > line.skip ? found.piece->target.length - line.skip : 0);
  std::vector<uint8_t> bytes;
  Bytes rest;
  if (found.piece && expense.afford(found.chunk->advertised())) {
    bytes = content(*this, *found.call, *found.chunk);
    const uint64_t into = memory.offset - found.piece->target.offset;
    rest = slice(bytes, into < bytes.size() ? found.piece->at + into : bytes.size());
  }
  move(*this, found.piece, memory, rest);
}

}  // namespace steertag::scenario
