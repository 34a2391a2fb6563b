// Ending: a connection about which nothing more will come, with what its
// history left open. The Engine gathers it, and shows it to the rules once, when
// the connection has ended or the capture has.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "history/characteristics.h"
#include "history/history.h"
#include "rules/rule.h"
#include "track/connection.h"

namespace steertag::rules {

inline constexpr int64_t kPatienceNs = 30'000'000'000;  // after which an answer is no longer on its way

struct Ending {
  const track::Connection* connection = nullptr;
  // Calls without an answer: the first few, and how many in all.
  struct Unanswered {
    uint32_t xid = 0;
    Stamp call;
  };
  static constexpr size_t kMaxListed = 16;
  std::vector<Unanswered> unanswered;
  uint64_t unanswered_count = 0;

  // Results that Replies left to be read (RFC 5666 §3.5), and of which something was: the first few.
  struct ReadResult {
    uint32_t xid = 0;
    uint32_t handle = 0;
    rdma::Side reader = rdma::Side::a;
    Stamp call, read;  // the Call; the first frame of the RDMA Reads
  };
  std::vector<ReadResult> results_read;

  // Whether add() has anything to note of an RPC that is over.
  static bool left_open(const flow::Exchange& exchange);
  void add(const flow::Exchange& exchange);

  const history::History* history =
      nullptr;  // what its messages have established; null where rules were not asked for
};

inline bool Ending::left_open(const flow::Exchange& exchange) {
  const bool unanswered = !exchange.reply && exchange.complete;
  const flow::KeptMessage& reply = exchange.reply_message;
  return exchange.call && (unanswered || (reply.kept && !reply.header.chunks.reads.empty()));
}

inline void Ending::add(const flow::Exchange& exchange) {
  if (!left_open(exchange)) {
    return;
  }
  if (!exchange.reply && exchange.complete) {
    ++unanswered_count;
    if (unanswered.size() < kMaxListed) {
      unanswered.push_back({exchange.xid, *exchange.call});
    }
  }
  const flow::KeptMessage& reply = exchange.reply_message;
  if (!reply.kept || reply.header.chunks.reads.empty()) {
    return;
  }
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind == flow::ChunkKind::result && !segment.frames().empty() &&
        results_read.size() < kMaxListed) {
      results_read.push_back({exchange.xid, segment.target.handle, exchange.requester, *exchange.call,
                              segment.frames().front()});
    }
  }
}

// An answer to what was sent at `at` could have come: the connection went on long enough, or the peer went
// past it and the connection was closed in order.
inline bool answer_was_due(const Ending& ending, bool passed, const Stamp& at) {
  const track::Connection& connection = *ending.connection;
  if (connection.last_frame.time_ns - at.time_ns >= kPatienceNs) {
    return true;
  }
  const bool in_order = connection.ended && (*connection.ended == rdma::EndReason::disconnect ||
                                             *connection.ended == rdma::EndReason::fin);
  return passed && in_order;
}

// Calls `judge(from, aside)` for each message without an RPC that each end has sent; what is undecided
// outweighs what is done.
template <typename Judge>
Outcome judge_asides(const Ending& ending, const Judge& judge) {
  Outcome outcome = Outcome::not_applicable;
  for (const rdma::Side from : {rdma::Side::a, rdma::Side::b}) {
    if (ending.history == nullptr) {
      break;
    }
    for (const history::Aside& aside : ending.history->characteristics().of(from).asides) {
      const Outcome one = judge(from, aside);
      outcome = one == Outcome::not_applicable || outcome == Outcome::undecided ? outcome : one;
    }
  }
  return outcome;
}

}  // namespace steertag::rules
