// Reads: the RDMA Reads that one side has started, in PSN order, so that the Responses, which
// carry no address, can be tied to the memory that they come from.
//
// Response packets carry exactly the PSNs that their Request took. A Read that was retried
// from the middle (IBTA vol. 1 §9.7) is the same Read: its restarted Responses repeat PSNs of
// the same range. Complete Reads are kept for a while, so that their repeated Responses are
// recognised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fetch.h"
#include "base/range_set.h"
#include "frame.h"
#include "rdma/op.h"
#include "rdma/read_depth.h"

namespace steertag::rdma::roce {

struct OutstandingRead {
  uint64_t id = 0;           // RdmaOp::id of the Request
  uint32_t first_psn = 0;    // of the Request and of its first Response
  bool restarted = false;    // requested again, from the middle perhaps
  bool misfit = false;       // Responses do not fit the Request; that was reported
  Memory memory;             // the source
  base::RangeSet delivered;  // offsets into the source
  Stamp at;                  // of the Request
  ReadDepth::Turn turn;

  bool done() const { return delivered.total() >= memory.length; }
};

class Reads {
 public:
  // More than any RNIC has outstanding (256 at most); the oldest is forgotten first.
  static constexpr size_t kMaxReads = 512;

  void add(uint64_t id, uint32_t psn, const Memory& memory, const Stamp& at);

  // The Read whose PSN range holds `psn`; null where there is none. A Read ends where the next begins. The
  // range needs the path MTU; 256, its least value, gives the widest.
  OutstandingRead* find(uint32_t psn, uint32_t path_mtu);

  // Every byte of `read`, one of these, was delivered at `at`. Returns how many Reads were outstanding when
  // it was requested, if more than ever before.
  std::optional<ReadDepth::Peak> complete(const OutstandingRead& read, const Stamp& at);

  // The same of one that was refused, which ends it, too.
  std::optional<ReadDepth::Peak> refused(const OutstandingRead& read) {
    return depth_.peak(read.turn, read.at);
  }

  // Is this the PSN of a Response that goes on where the newest Read, whose
  // Responses did not fit it, should have ended?
  bool overruns(uint32_t psn, uint32_t path_mtu) const;

  // A Read will be requested or answered soon: prefetches.
  void expect() const {
    if (used_ != 0) {
      base::fetch(nth(used_ - 1));
    }
    if (used_ < ring_.size()) {
      base::fetch(nth(used_));
    }
    depth_.expect();
  }

  // When the oldest Read of those that are kept was requested. Precondition: there is one.
  const Stamp& oldest() const { return nth(0).at; }

  void clear() { used_ = 0; }
  size_t bytes() const;  // of the heap

 private:
  size_t place(size_t i) const {
    const size_t at = begin_ + i;
    return at < ring_.size() ? at : at - ring_.size();
  }
  OutstandingRead& nth(size_t i) { return ring_[place(i)]; }
  const OutstandingRead& nth(size_t i) const { return ring_[place(i)]; }
  void forget_oldest();
  void make_room();

  // A ring that keeps its elements' memory.
  std::vector<OutstandingRead> ring_;
  size_t begin_ = 0;
  size_t used_ = 0;
  ReadDepth depth_;
};

}  // namespace steertag::rdma::roce
