// Calls: what the ends of all connections know of the Calls of a scenario: which
// of them are open, which XIDs were taken, and where memory is advertised. A Call
// stays after its Reply, since later lines may still touch its memory.
// Invariant: there are at most kMaxCalls, the oldest first; older ones are forgotten.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenario/expense.h"
#include "scenario/rpc_message.h"

namespace steertag::scenario {

// Bytes of all of them together, as far as 32 bits can tell.
template <typename List, typename Length>
uint32_t sum_of(const List& list, const Length& length) {
  uint64_t total = 0;
  for (const auto& one : list) {
    total += length(one);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(total, UINT32_MAX));
}

// A chunk that a Call advertises, or the Read chunk of a Reply.
struct Chunk {
  struct Piece {
    rpcrdma::Segment target;
    uint32_t at = 0;     // where in the chunk the segment begins, bytes
    uint32_t moved = 0;  // bytes from the segment's start that RDMA carried
  };
  ChunkSpec::Kind kind = ChunkSpec::Kind::read;
  bool of_reply = false;  // memory of the Responder (RFC 5666 §3.5)
  std::string name;
  uint32_t position = 0;
  std::vector<Piece> pieces;
  std::vector<uint8_t> content;  // read: what the memory holds

  uint32_t advertised() const {  // bytes
    return sum_of(pieces, [](const Piece& piece) { return piece.target.length; });
  }
  uint32_t moved() const {  // bytes
    return sum_of(pieces, [](const Piece& piece) { return piece.moved; });
  }
};

// A Call, from its line on.
struct Call {
  uint32_t connection = 0;
  Side requester = kClient;
  uint32_t xid = 0, version = 1;
  Procedure procedure = {};
  RpcSpec rpc = {};
  BulkSizes asked = {};  // bytes of each result that it asks for
  std::vector<Chunk> chunks = {};
  uint32_t inv_handle = 0;
  bool owes_done = false;  // its Reply has a Read list, and no RDMA_DONE has followed
  bool open = true;
};

struct Place {  // a segment of an advertised chunk, or the chunk; null where there is none
  Call* call = nullptr;
  Chunk* chunk = nullptr;
  Chunk::Piece* piece = nullptr;
};

constexpr size_t kMaxCalls = 4096;  // remembered, with their chunks; older ones are forgotten

class Calls {
 public:
  Calls(Problem& problem, Expense& expense) : problem_(problem), expense_(expense) {}

  Call& remember(Call call);
  void close_all(uint32_t connection);

  // The oldest open Call of `requester`, or the latest with that XID, open or not.
  Call* open_call(uint32_t connection, Side requester, std::optional<uint32_t> xid);
  // The oldest Call whose Reply left results to be read, and for which no RDMA_DONE was sent; null for none.
  Call* answered_call(uint32_t connection, Side requester, std::optional<uint32_t> xid);

  // The XID of what `requester` sends next, unless the line wants another; and that of what it sent last, 0
  // where it sent nothing.
  uint32_t take_xid(uint32_t connection, Side requester, std::optional<uint32_t> wanted);
  uint32_t last_xid(uint32_t connection, Side requester) { return last_xid_[{connection, requester}]; }

  // The newest memory of that handle or name. A name that nothing has is a problem.
  Place find_handle(uint32_t handle, uint32_t connection);
  Place find_chunk(const std::string& name);
  uint32_t handle_of(const Target& target);

 private:
  Problem& problem_;
  Expense& expense_;
  std::deque<std::unique_ptr<Call>> calls_;
  std::map<std::pair<uint32_t, Side>, uint32_t> last_xid_;
};

}  // namespace steertag::scenario
