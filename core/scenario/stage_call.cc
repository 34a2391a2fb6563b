// Calls: which memory they advertise, which part of the RPC message travels in it,
// and the header that says so.
#include <fmt/core.h>

#include <algorithm>

#include "scenario/stage.h"

namespace steertag::scenario {

using Kind = ChunkSpec::Kind;

namespace {

constexpr uint32_t kDefaultData = 100;    // bytes of file data, where nothing says how many
constexpr uint32_t kReplyOverhead = 256;  // bytes of a Reply chunk that directory entries leave free
constexpr uint64_t kPage = 4096;          // memory is made up in pages

uint64_t length_of(const ChunkSpec& spec) {
  uint64_t total = 0;
  for (const SegmentSpec& segment : spec.segments) {
    total += segment.length.value_or(0);
  }
  return total;
}

bool is_whole_message(const ChunkSpec& spec) {
  return spec.kind == Kind::read && spec.position == 0u;
}

// How long the Call's own bulk items are: as long as the Read chunks that carry them.
BulkSizes argument_sizes(const MessageLine& line) {
  BulkSizes sizes;
  sizes.session = line.rpc.session;
  sizes.rest = line.rpc.data.value_or(kDefaultData);
  for (const ChunkSpec& chunk : line.chunks) {
    if (chunk.kind == Kind::read && !is_whole_message(chunk)) {
      const bool open = std::any_of(chunk.segments.begin(), chunk.segments.end(),
                                    [](const SegmentSpec& segment) { return !segment.length; });
      const auto length = static_cast<uint32_t>(std::min<uint64_t>(length_of(chunk), UINT32_MAX));
      sizes.listed.push_back(line.rpc.data.value_or(open ? kDefaultData : length));
    }
  }
  return sizes;
}

// How much the Call asks for: as much as its Write chunks, or its Reply chunk, hold.
BulkSizes result_sizes(const MessageLine& line) {
  BulkSizes sizes;
  sizes.rest = line.rpc.data.value_or(kDefaultData);
  for (const ChunkSpec& chunk : line.chunks) {
    const auto length = static_cast<uint32_t>(std::min<uint64_t>(length_of(chunk), UINT32_MAX));
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

void list(const Chunk& chunk, rpcrdma::ChunkLists& into) {
  if (chunk.kind == Kind::read) {
    for (const Chunk::Piece& piece : chunk.pieces) {
      into.reads.push_back({chunk.position, piece.target, {}});
    }
    return;
  }
  rpcrdma::WriteChunk& made = chunk.kind == Kind::write ? into.writes.add() : into.reply.add();
  made.target.clear();
  for (const Chunk::Piece& piece : chunk.pieces) {
    made.target.push_back(piece.target);
  }
}

}  // namespace

// Memory for a chunk. `needed`: bytes that a segment without a length, or a
// chunk without segments, has to hold.
Chunk Stage::allocate(const ChunkSpec& spec, uint32_t needed) {
  Chunk chunk;
  chunk.kind = spec.kind;
  chunk.name = spec.name;
  chunk.position = spec.position.value_or(0);
  std::vector<SegmentSpec> segments = spec.segments;
  if (segments.empty() && is_whole_message(spec)) {
    segments.emplace_back();
  }
  uint64_t at = 0;
  for (const SegmentSpec& segment : segments) {
    Chunk::Piece& piece = chunk.pieces.emplace_back();
    piece.at = static_cast<uint32_t>(std::min<uint64_t>(at, UINT32_MAX));
    piece.target.handle = segment.handle ? *segment.handle : next_handle_++;
    piece.target.length = segment.length.value_or(needed > at ? static_cast<uint32_t>(needed - at) : 0);
    piece.target.offset = segment.offset.value_or(next_offset_);
    if (!segment.offset) {
      next_offset_ += (piece.target.length / kPage + 2) * kPage;
    }
    at += piece.target.length;
  }
  return chunk;
}

// Gives the Call its chunks, takes what they carry out of the RPC message, and
// fills the Read chunks. The n-th Read chunk carries the n-th bulk item, if
// there is one; a Position-Zero Read chunk carries what is left of the message.
void Stage::place(const MessageLine& line, const RpcMessage& rpc, Call& made, std::vector<uint8_t>& inlined) {
  const auto carried =
      static_cast<size_t>(std::count_if(line.chunks.begin(), line.chunks.end(), [](const ChunkSpec& spec) {
        return spec.kind == Kind::read && !is_whole_message(spec);
      }));
  std::vector<bool> travels(rpc.items.size());
  std::fill_n(travels.begin(), std::min(carried, travels.size()), true);
  inlined = reduce(rpc, travels);

  size_t next = 0;
  for (const ChunkSpec& spec : line.chunks) {
    if (is_whole_message(spec)) {
      made.chunks.push_back(allocate(spec, static_cast<uint32_t>(inlined.size())));
      made.chunks.back().content = inlined;
    } else if (spec.kind != Kind::read) {
      made.chunks.push_back(allocate(spec, kDefaultData));
    } else {
      const bool known = next < rpc.items.size();
      const BulkItem item =
          known ? rpc.items[next++] : BulkItem{static_cast<uint32_t>(rpc.stream.size()), kDefaultData};
      Chunk& chunk = made.chunks.emplace_back(allocate(spec, item.length));
      chunk.position = spec.position.value_or(item.position);
      const Bytes data = slice(rpc.stream, item.position, item.length);
      chunk.content.assign(data.begin(), data.end());
    }
  }
}

void Stage::call(const Statement& at, const MessageLine& line) {
  Call made;
  made.connection = at.connection;
  made.requester = at.from;
  made.xid = take_xid(at, line.xid);
  made.version = line.version.value_or(script_.version);
  made.procedure = line.rpc.procedure.value_or(Procedure{});
  made.rpc = line.rpc;
  const BulkSizes arguments = argument_sizes(line);
  made.asked = result_sizes(line);
  if (carries_data(made.procedure)) {
    made.asked = {{}, arguments.at(0)};
  }
  const RpcMessage rpc =
      build_call(line.rpc, made.procedure, made.xid, arguments, result_sizes(line), problem_);
  if (problem_.any() || !afford(2 * rpc.stream.size())) {
    return;
  }
  std::vector<uint8_t> inlined;
  place(line, rpc, made, inlined);
  Call& call = remember(std::move(made));

  const bool whole_in_chunk = std::any_of(line.chunks.begin(), line.chunks.end(), is_whole_message);
  const bool payload = line.inlined.value_or(!whole_in_chunk);
  rpcrdma::TransportHeader header;
  header.xid = call.xid;
  header.version = call.version;
  header.credit = line.credit.value_or(script_.credits);
  header.procedure = payload ? 0 : 1;  // MSG, NOMSG: the same in both versions
  if (line.padding) {
    header.procedure = static_cast<uint32_t>(rpcrdma::v1::Proc::msgp);
    header.padding = line.padding;
  }
  for (const Chunk& chunk : call.chunks) {
    list(chunk, header.chunks);
  }
  if (call.version == 2) {
    call.inv_handle = line.inv ? handle_of(*line.inv) : 0;
    header.direction = rpcrdma::MsgType::call;
    header.inv_handle = call.inv_handle;
  }
  if (line.by_option) {
    wrap(line, rpcrdma::MsgType::call, header);
  }
  pad(line, header, rpc, inlined);
  send(at, line, header, payload ? Bytes(inlined) : Bytes{});
}

}  // namespace steertag::scenario
