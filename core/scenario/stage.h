// Stage: plays a Script. It knows what the ends of a connection would know:
// which Calls are open, which memory they advertise, what was moved through it, so
// that a line can leave out everything that follows from the lines before it.
// What it decides goes to the connection's Transport; the frames come out of
// compile().
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rpcrdma/header.h"
#include "scenario/rpc_message.h"
#include "scenario/script.h"
#include "scenario/transport.h"

namespace steertag::scenario {

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

  uint32_t advertised() const;  // bytes
  uint32_t moved() const;       // bytes
};

// A Call, from its line on. It is kept after its Reply, since later lines may
// still touch its memory.
struct Call {
  uint32_t connection = 0;
  Side requester = kClient;
  uint32_t xid = 0, version = 1;
  Procedure procedure;
  RpcSpec rpc;
  BulkSizes asked;  // bytes of each result that it asks for
  std::vector<Chunk> chunks;
  uint32_t inv_handle = 0;
  bool optional = false;   // a REQXCH, which is answered but is not an RPC
  bool owes_done = false;  // its Reply has a Read list, and no RDMA_DONE has followed
  bool open = true;
};

constexpr size_t kMaxCalls = 4096;  // remembered, with their chunks; older ones are forgotten

class Stage {
 public:
  using Ahead = std::span<const Statement>;

  Stage(const Script& script, Problem& problem) : script_(script), problem_(problem) {
    transports_.resize(script.connections.size());
  }

  // Plays one line and appends its Datagrams to `out`. `ahead`: the lines after
  // it, since a Reply chunk is filled before the line that says with what.
  void play(const Statement& statement, Ahead ahead, std::vector<Datagram>& out);

 private:
  struct Place {  // a segment of an advertised chunk
    Call* call = nullptr;
    Chunk* chunk = nullptr;
    Chunk::Piece* piece = nullptr;
  };

  // stage.cc
  void perform(const Statement& at, Ahead ahead);
  Transport& transport(uint32_t connection);
  Call* open_call(uint32_t connection, Side requester, std::optional<uint32_t> xid);
  Call& remember(Call call);
  uint32_t take_xid(const Statement& at, std::optional<uint32_t> wanted);
  uint32_t handle_of(const Target& target);
  Place find_handle(uint32_t handle, uint32_t connection);
  Place find_chunk(const std::string& name);
  bool afford(uint64_t bytes);

  // stage_message.cc
  void message(const Statement& at, const MessageLine& line, Ahead ahead);
  void send(const Statement& at, const MessageLine& line, const rpcrdma::TransportHeader& header,
            Bytes payload, std::optional<uint32_t> invalidate = std::nullopt);
  void error(const Statement& at, const MessageLine& line);
  void done(const Statement& at, const MessageLine& line);
  void optional(const Statement& at, const MessageLine& line);
  void wrap(const MessageLine& line, rpcrdma::MsgType direction, rpcrdma::TransportHeader& header);

  // stage_call.cc
  void call(const Statement& at, const MessageLine& line);
  void place(const MessageLine& line, const RpcMessage& rpc, Call& made, std::vector<uint8_t>& inlined);
  Chunk allocate(const ChunkSpec& spec, uint32_t needed);

  // stage_reply.cc
  void reply(const Statement& at, const MessageLine& line, Ahead ahead);
  Call unknown_call(const Statement& at, const MessageLine& line) const;
  void serve(const Statement& at, Call& call, Ahead ahead);
  // A Reply before its chunks are taken out of it.
  struct Results {
    RpcMessage rpc;
    std::vector<bool> travels;    // by item: in a Write chunk, or a Read chunk of the Reply
    std::vector<size_t> by_read;  // the items that its Read chunks carry, in order
  };
  Results results(const Call& call, const MessageLine& line);
  std::vector<uint8_t> reply_stream(const Call& call, const MessageLine& line);
  static void pad(const MessageLine& line, const rpcrdma::TransportHeader& header, const RpcMessage& rpc,
                  std::vector<uint8_t>& inlined);
  void advertise_results(Call& call, const MessageLine& line, const Results& results, Bytes stream);
  Call* answered_call(uint32_t connection, Side requester, std::optional<uint32_t> xid);
  rpcrdma::ChunkLists returned(const Call& call, const MessageLine& line, bool inlined);
  rpcrdma::TransportHeader reply_header(const Call& call, const MessageLine& line, bool inlined);
  std::optional<uint32_t> invalidated(const Call& call, const MessageLine& line, uint32_t version);

  // stage_memory.cc
  void operation(const Statement& at, const OperationLine& line, Ahead ahead);
  void move_all(const Statement& at, Call& call, const OperationLine& line, Ahead ahead);
  void move_chunk(const Statement& at, Call& call, Chunk& chunk, const OperationLine& line, Ahead ahead);
  void move_memory(const Statement& at, const OperationLine& line, Ahead ahead);
  void move(const Statement& at, Place place, rdma::Memory memory, Bytes content, const OperationLine& line);
  std::vector<uint8_t> content(const Statement& at, const Call& call, const Chunk& chunk, Ahead ahead);

  const Script& script_;
  Problem& problem_;
  std::vector<std::unique_ptr<Transport>> transports_;  // by connection, made when first used
  std::deque<std::unique_ptr<Call>> calls_;             // oldest first
  std::map<std::pair<uint32_t, Side>, uint32_t> last_xid_;
  uint32_t next_handle_ = 0x8F01;
  uint64_t next_offset_ = 0x10000;
  uint64_t spent_ = 0;  // bytes made so far, for kMaxMade
};

}  // namespace steertag::scenario
