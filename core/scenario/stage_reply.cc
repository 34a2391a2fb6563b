// Replies: what was moved through the Call's chunks decides what is returned in
// them, how long the results are, and whether the message travels inline.
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

// Bytes that the Reply says are in the n-th Write chunk.
uint32_t returned_length(const Call& call, const MessageLine& line, size_t n) {
  const Chunk* chunk = nth(call, Kind::write, n);
  const ChunkSpec* spec = nth(line, Kind::write, n);
  if (!spec) {
    return chunk ? chunk->moved() : 0;
  }
  uint64_t total = 0;
  for (const SegmentSpec& segment : spec->segments) {
    total += segment.length.value_or(0);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(total, UINT32_MAX));
}

}  // namespace

// The Reply as an RPC message, without the results that Write chunks carry.
std::vector<uint8_t> Stage::reply_stream(const Call& call, const MessageLine& line) {
  BulkSizes sizes;
  sizes.rest = line.rpc.data.value_or(call.asked.rest);
  std::vector<bool> travels;
  for (size_t i = 0; nth(call, Kind::write, i); ++i) {
    const uint32_t length = returned_length(call, line, i);
    sizes.listed.push_back(line.rpc.data.value_or(length));
    travels.push_back(length != 0);
  }
  const RpcMessage rpc =
      build_reply(line.rpc, call.rpc, call.procedure, line.xid.value_or(call.xid), sizes, problem_);
  return reduce(rpc, travels);
}

// The chunk lists of the Reply: the Call's, with the lengths that came back,
// unless the line spells them out.
rpcrdma::ChunkLists Stage::returned(const Call& call, const MessageLine& line, bool inlined) {
  rpcrdma::ChunkLists lists;
  for (const ChunkSpec& spec : line.chunks) {
    if (spec.kind == Kind::read) {
      for (const Chunk::Piece& piece : allocate(spec, 0).pieces) {
        lists.reads.push_back({spec.position.value_or(0), piece.target, {}});
      }
    }
  }
  for (const Kind kind : {Kind::write, Kind::reply}) {
    const ChunkSpec* first = nth(line, kind, 0);
    for (size_t n = 0; !(first && first->none) && (nth(call, kind, n) || nth(line, kind, n)); ++n) {
      const Chunk* offered = nth(call, kind, n);
      const ChunkSpec* spec = nth(line, kind, n);
      rpcrdma::WriteChunk& made = kind == Kind::write ? lists.writes.add() : lists.reply.add();
      made.target.clear();
      const size_t count = spec ? spec->segments.size() : offered->pieces.size();
      for (size_t i = 0; i < count; ++i) {
        rpcrdma::Segment segment;
        if (offered && i < offered->pieces.size()) {
          segment = offered->pieces[i].target;
          segment.length = kind == Kind::reply && inlined ? 0 : offered->pieces[i].moved;
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

void Stage::reply(const Statement& at, const MessageLine& line, Ahead ahead) {
  Call unknown;
  Call* call = open_call(at.connection, rdma::other(at.from), line.xid);
  if (!call) {
    if (!line.xid) {
      return problem_.say(fmt::format(
          "There is no open Call from the {} on this connection; say xid=N to reply all the same.",
          at.from == kServer ? "client" : "server"));
    }
    unknown = unknown_call(at, line);
    call = &unknown;
  }
  if (line.serve) {
    serve(at, *call, ahead);
  }
  const Chunk* reply_chunk = nth(*call, Kind::reply, 0);
  const bool inlined = line.inlined.value_or(!reply_chunk || reply_chunk->moved() == 0);
  const std::vector<uint8_t> stream = reply_stream(*call, line);

  rpcrdma::TransportHeader header;
  header.xid = call->xid;
  header.version = line.version.value_or(call->version);
  header.credit = line.credit.value_or(script_.credits);
  header.procedure = inlined ? 0 : 1;
  if (line.padding) {
    header.procedure = static_cast<uint32_t>(rpcrdma::v1::Proc::msgp);
    header.padding = line.padding;
  }
  header.chunks = returned(*call, line, inlined);
  std::optional<uint32_t> invalidate;
  if (header.version == 2) {
    header.direction = rpcrdma::MsgType::reply;
    header.inv_handle = line.inv ? handle_of(*line.inv) : call->inv_handle;
    // version-two-02 §5.2.3: the Responder should use the handle that it was offered.
    invalidate = call->inv_handle != 0 ? std::optional(call->inv_handle) : std::nullopt;
  }
  if (line.invalidate_default && !invalidate) {
    for (const Chunk& chunk : call->chunks) {
      if (!invalidate && !chunk.pieces.empty()) {
        invalidate = chunk.pieces[0].target.handle;
      }
    }
    if (!invalidate) {
      return problem_.say("The Call offers no handle to invalidate; say which one, as in invalidate=0x8f01.");
    }
  }
  call->open = false;
  send(at, line, header, inlined ? Bytes(stream) : Bytes{}, line.plain ? std::nullopt : invalidate);
}

}  // namespace steertag::scenario
