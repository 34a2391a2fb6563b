// Stage: plays a Script. Each line is put in terms of what the ends of a connection
// would know (Calls), so that it can leave out everything that follows from the
// lines before it: headers, lengths, handles. What it comes to goes to the
// connection's Transport; the frames come out of compile().
#pragma once

#include <memory>
#include <vector>

#include "rpcrdma/header.h"
#include "scenario/allocator.h"
#include "scenario/calls.h"
#include "scenario/movement.h"

namespace steertag::scenario {

class Stage {
 public:
  Stage(const Script& script, Problem& problem) : script_(script), problem_(problem) {
    transports_.resize(script.connections.size());
  }

  // Plays one line and appends its Datagrams to `out`. `ahead`: the lines after it.
  void play(const Statement& statement, Ahead ahead, std::vector<Datagram>& out);

 private:
  void perform(const Statement& at, Ahead ahead);
  Transport& transport(uint32_t connection);
  void operation(const Statement& at, const OperationLine& line, Ahead ahead);
  void message(const Statement& at, const MessageLine& line, Ahead ahead);
  void call(const Statement& at, const MessageLine& line);
  void reply(const Statement& at, const MessageLine& line, Ahead ahead);
  void error(const Statement& at, const MessageLine& line);
  void done(const Statement& at, const MessageLine& line);
  void optional(const Statement& at, const MessageLine& line);
  rpcrdma::TransportHeader start(const MessageLine& line, uint32_t xid, uint32_t version) const;
  rpcrdma::TransportHeader header_of(const Call& call, const MessageLine& line, rpcrdma::MsgType direction,
                                     bool inlined, rpcrdma::ChunkLists chunks);
  void send(const Statement& at, const MessageLine& line, const rpcrdma::TransportHeader& header,
            Bytes payload, std::optional<uint32_t> invalidate = std::nullopt);

  const Script& script_;
  Problem& problem_;
  std::vector<std::unique_ptr<Transport>> transports_;  // by connection, made when first used
  Expense expense_{problem_};
  Calls calls_{problem_, expense_};
  Allocator allocator_;
};

}  // namespace steertag::scenario
