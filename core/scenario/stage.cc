#include "scenario/stage.h"

#include <fmt/core.h>

#include <algorithm>

#include "scenario/faults.h"
#include "scenario/iwarp_transport.h"
#include "scenario/roce_transport.h"
namespace steertag::scenario {
namespace {

// Looking at one, among those of all Calls, takes as long as making so many bytes, and counts as much.
constexpr uint64_t kLookAtPiece = 4, kLookAtChunk = 20;

}  // namespace

uint32_t Chunk::advertised() const {
  uint64_t total = 0;
  for (const Piece& piece : pieces) {
    total += piece.target.length;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(total, UINT32_MAX));
}

uint32_t Chunk::moved() const {
  uint64_t total = 0;
  for (const Piece& piece : pieces) {
    total += piece.moved;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(total, UINT32_MAX));
}

void Stage::play(const Statement& statement, Ahead ahead, std::vector<Datagram>& out) {
  problem_.line = statement.line;
  std::vector<Datagram> line;
  Transport& wire = transport(statement.connection);
  wire.begin(statement.handling, statement.from, std::holds_alternative<BurstLine>(statement.action), line,
             problem_);
  perform(statement, ahead);
  if (problem_.any()) {
    return;
  }
  wire.end(statement.from);
  line = apply_faults(std::move(line), statement.handling, wire);
  for (Datagram& datagram : line) {
    datagram.connection = statement.connection;
    datagram.line = statement.line;
    out.push_back(std::move(datagram));
  }
}

void Stage::perform(const Statement& at, Ahead ahead) {
  Transport& wire = transport(at.connection);
  if (const auto* line = std::get_if<MessageLine>(&at.action)) {
    message(at, *line, ahead);
  } else if (const auto* op = std::get_if<OperationLine>(&at.action)) {
    operation(at, *op, ahead);
  } else if (const auto* connect = std::get_if<ConnectLine>(&at.action)) {
    for (const auto& call : calls_) {
      call->open = call->open && call->connection != at.connection;
    }
    wire.connect(connect->spec, at.from);
  } else if (const auto* disconnect = std::get_if<DisconnectLine>(&at.action)) {
    wire.disconnect(at.from, disconnect->reset);
  } else if (const auto* complaint = std::get_if<ComplaintLine>(&at.action)) {
    wire.complain(at.from, *complaint);
  } else if (std::holds_alternative<SlowDownLine>(at.action)) {
    wire.slow_down(at.from);
  } else if (const auto* says = std::get_if<RoomLine>(&at.action)) {
    wire.say_room(at.from, says->room);
  } else if (const auto* burst = std::get_if<BurstLine>(&at.action)) {
    const Ahead lines(burst->lines);
    for (size_t i = 0; i < lines.size() && !problem_.any(); ++i) {
      problem_.line = lines[i].line;
      if (lines[i].connection != at.connection) {
        problem_.say("The lines of a burst belong to the connection that the burst names.");
        return;
      }
      perform(lines[i], lines.subspan(i + 1));
    }
    problem_.line = problem_.any() ? problem_.line : at.line;
  }
}

Transport& Stage::transport(uint32_t connection) {
  std::unique_ptr<Transport>& made = transports_[connection];
  if (!made) {
    const ConnectionSpec& spec = script_.connections[connection];
    if (script_.fabric == Fabric::iwarp) {
      made = std::make_unique<IwarpTransport>(spec);
    } else {
      made = std::make_unique<RoceTransport>(spec, script_.ipv6);
    }
  }
  return *made;
}

// The oldest open Call of `requester`, or the latest with that XID, open or not.
Call* Stage::open_call(uint32_t connection, Side requester, std::optional<uint32_t> xid) {
  Call* found = nullptr;
  for (const auto& call : calls_) {
    if (call->connection != connection || call->requester != requester) {
      continue;
    }
    if (!xid && call->open) {
      return call.get();
    }
    if (xid && call->xid == *xid && (call->open || !found || !found->open)) {
      found = call.get();
      if (call->open) {
        break;
      }
    }
  }
  return found;
}

// The oldest Call whose Reply left results to be read, and for which no RDMA_DONE was sent; null for none.
Call* Stage::answered_call(uint32_t connection, Side requester, std::optional<uint32_t> xid) {
  for (const std::unique_ptr<Call>& call : calls_) {
    if (call->connection == connection && call->requester == requester && call->owes_done &&
        call->xid == xid.value_or(call->xid)) {
      return call.get();
    }
  }
  return nullptr;
}

Call& Stage::remember(Call call) {
  if (calls_.size() >= kMaxCalls) {
    calls_.pop_front();
  }
  calls_.push_back(std::make_unique<Call>(std::move(call)));
  return *calls_.back();
}

uint32_t Stage::take_xid(const Statement& at, std::optional<uint32_t> wanted) {
  const uint32_t start = 0x1000 * at.connection + (at.from == kServer ? 0x800 : 0);
  uint32_t& last = last_xid_.try_emplace({at.connection, at.from}, start).first->second;
  last = wanted.value_or(last + 1);
  return last;
}

uint32_t Stage::handle_of(const Target& target) {
  if (target.chunk.empty()) {
    return target.memory.handle.value_or(0);
  }
  const Chunk* chunk = find_chunk(target.chunk).chunk;
  const size_t index = target.segment == 0 ? 0 : target.segment - 1;
  if (chunk && index >= chunk->pieces.size()) {
    problem_.say(fmt::format("Chunk @{} has {} segments.", target.chunk, chunk->pieces.size()));
  }
  return chunk && index < chunk->pieces.size() ? chunk->pieces[index].target.handle : 0;
}

Stage::Place Stage::find_handle(uint32_t handle, uint32_t connection) {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    for (Chunk& chunk : (*call)->chunks) {
      if (!afford(kLookAtPiece * chunk.pieces.size())) {
        return {};
      }
      for (Chunk::Piece& piece : chunk.pieces) {
        if (piece.target.handle == handle && (*call)->connection == connection) {
          return {call->get(), &chunk, &piece};
        }
      }
    }
  }
  return {};
}

Stage::Place Stage::find_chunk(const std::string& name) {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    for (Chunk& chunk : (*call)->chunks) {
      if (!afford(kLookAtChunk)) {
        return {};
      }
      if (chunk.name == name) {
        return {call->get(), &chunk, nullptr};
      }
    }
  }
  problem_.say(fmt::format(
      "No Call before this line advertises a chunk @{0}: name it there, as in write(@{0} 4096).", name));
  return {};
}

// Keeps what a scenario can make within kMaxMade, before it is made.
bool Stage::afford(uint64_t bytes) {
  spent_ += bytes;
  if (spent_ > kMaxMade) {
    problem_.say(fmt::format("The scenario makes more than {} MiB; use shorter chunks or fewer repetitions.",
                             kMaxMade >> 20));
  }
  return !problem_.any();
}

}  // namespace steertag::scenario
