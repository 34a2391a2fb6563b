// Losses: finds the packets that were lost on one connection. It hears of late packets, complaints and
// acknowledgments, and reports each run (LossRuns) when it is over.
// No end acknowledges a Read Response. A Requester that misses one repeats its Read Request, and all packets
// that it sent behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/loss.h"
#include "flow/sink.h"
#include "rdma/op.h"
#include "timing/loss_runs.h"
#include "timing/sequences.h"
#include "track/connection.h"

namespace steertag::timing {

class Losses {
 public:
  // Those of a connection that is not claimed yet; beyond that the oldest are forgotten.
  static constexpr size_t kMaxUnclaimed = 64;

  // All must outlive it. `sequences`: null where nobody asks.
  Losses(const track::Connection& connection, flow::Sink& sink, Sequences* sequences = nullptr)
      : connection_(connection), sink_(sink), sequences_(sequences) {}

  void fresh(const rdma::RdmaOp& op);  // a piece in its turn
  // `at_once`: nobody could have missed it yet.
  void late(const rdma::Late& late, bool at_once);
  void fault(const rdma::Fault& fault);
  void acknowledged_again(Side by, uint64_t position, const Stamp& at);
  // `by` has acknowledged all that its peer sent before `position`.
  void accepted(Side by, uint64_t position, const Stamp& at);
  // `by` says that what its peer sent from `begin` to `end` came twice.
  void received_twice(Side by, uint64_t begin, uint64_t end) {
    runs(rdma::other(by), false).received_twice(by, begin, end);
  }
  // One that is over, and was found elsewhere.
  void report(const flow::Loss& loss);
  void finish();         // nothing more comes
  size_t bytes() const;  // of the heap

 private:
  // A Requester sends again what it had sent behind a Read Request.
  struct Repeats {
    bool going_on = false;
    uint64_t next = 0;  // place
    Stamp latest;
  };

  bool tcp() const { return connection_.transport == rdma::Transport::iwarp; }
  int64_t trip_ns(Side end) const { return connection_.end(end).rtt_ns.value_or(0); }
  LossRuns& runs(Side from, bool of_reads) { return sent_[rdma::index(from)][of_reads && !tcp() ? 1 : 0]; }
  bool repeats_read(const rdma::Late& late);
  bool overtaken(const LossRuns& runs, const rdma::Late& late) const;
  void report_over(LossRuns& runs);

  const track::Connection& connection_;
  flow::Sink& sink_;
  Sequences* const sequences_;
  std::array<std::array<LossRuns, 2>, 2> sent_;  // by sender; requests, and RoCE's Read Responses
  std::array<Repeats, 2> repeats_;               // by Requester
  std::vector<flow::Loss> unclaimed_;
};

}  // namespace steertag::timing
