#include "scenario/calls.h"

namespace steertag::scenario {
namespace {

// Looking at one, among those of all Calls, takes as long as making so many bytes, and counts as much.
constexpr uint64_t kLookAtPiece = 4, kLookAtChunk = 20;

}  // namespace

Call& Calls::remember(Call call) {
  if (calls_.size() >= kMaxCalls) {
    calls_.pop_front();
  }
  calls_.push_back(std::make_unique<Call>(std::move(call)));
  return *calls_.back();
}

void Calls::close_all(uint32_t connection) {
  for (const auto& call : calls_) {
    call->open = call->open && call->connection != connection;
  }
}

Call* Calls::open_call(uint32_t connection, Side requester, std::optional<uint32_t> xid) {
  Call* found = nullptr;
  for (const auto& call : calls_) {
    if (call->connection == connection && call->requester == requester &&
        call->xid == xid.value_or(call->xid)) {
      if (call->open) {
        return call.get();
      }
      found = xid ? call.get() : nullptr;
    }
  }
  return found;
}

Call* Calls::answered_call(uint32_t connection, Side requester, std::optional<uint32_t> xid) {
  for (const auto& call : calls_) {
    if (call->connection == connection && call->requester == requester && call->owes_done &&
        call->xid == xid.value_or(call->xid)) {
      return call.get();
    }
  }
  return nullptr;
}

uint32_t Calls::take_xid(uint32_t connection, Side requester, std::optional<uint32_t> wanted) {
  const uint32_t start = 0x1000 * connection + (requester == kServer ? 0x800 : 0);
  uint32_t& last = last_xid_.try_emplace({connection, requester}, start).first->second;
  last = wanted.value_or(last + 1);
  return last;
}

Place Calls::find_handle(uint32_t handle, uint32_t connection) {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    for (Chunk& chunk : (*call)->chunks) {
      if (!expense_.afford(kLookAtPiece * chunk.pieces.size())) {
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

Place Calls::find_chunk(const std::string& name) {
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
    for (Chunk& chunk : (*call)->chunks) {
      if (!expense_.afford(kLookAtChunk)) {
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

uint32_t Calls::handle_of(const Target& target) {
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

}  // namespace steertag::scenario
