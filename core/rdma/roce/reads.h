// Reads: the RDMA Reads that one side has started, oldest first, so that the
// Responses which carry no address can be tied to the memory they come from.
//
// Response packets carry exactly the PSNs that their Request took. A Read that
// was retried from the middle (IBTA vol. 1 §9.7) is the same Read: its restarted
// Responses repeat PSNs of the same range. Complete Reads are kept for a while,
// so that their repeated Responses are known as such.
//
// How many Reads were outstanding is known afterwards: those whose last Response
// went by after a Request were so when it was sent.
#pragma once

#include <cstdint>
#include <vector>

#include "base/range_set.h"
#include "rdma/op.h"

namespace steertag::rdma::roce {

struct OutstandingRead {
  uint64_t id = 0;           // RdmaOp::id of the Request
  uint32_t first_psn = 0;    // of the Request and of its first Response
  Memory memory;             // the source
  base::RangeSet delivered;  // offsets into the source
  Stamp at;                  // of the Request
  bool restarted = false;    // requested again, from the middle perhaps
  bool misfit = false;       // Responses do not fit the Request; that was told

  uint32_t earlier = 0;  // Reads before this one that were outstanding when it was requested ...
  Stamp earlier_done;    // ... the first of which was complete here

  bool done() const { return delivered.total() >= memory.length; }
};

class Reads {
 public:
  // More than any RNIC has outstanding (256 at most); the oldest is forgotten first.
  static constexpr size_t kMaxReads = 512;

  void add(uint64_t id, uint32_t psn, const Memory& memory, const Stamp& at);

  // The Read whose PSN range holds `psn`, newest first; null where there is none.
  // The range needs the path MTU; 256, its least value, gives the widest.
  OutstandingRead* find(uint32_t psn, uint32_t path_mtu);

  // Every byte of `read`, one of these, was delivered at `at`: the later ones
  // learn that it was outstanding until then.
  void complete(const OutstandingRead& read, const Stamp& at);

  // Is this the PSN of a Response that goes on where the newest Read, whose
  // Responses did not fit it, should have ended?
  bool overruns(uint32_t psn, uint32_t path_mtu) const;

  void clear() { used_ = 0; }

 private:
  OutstandingRead& nth(size_t i) { return ring_[(begin_ + i) % ring_.size()]; }
  const OutstandingRead& nth(size_t i) const { return ring_[(begin_ + i) % ring_.size()]; }

  // A ring that keeps its elements' memory.
  std::vector<OutstandingRead> ring_;
  size_t begin_ = 0;
  size_t used_ = 0;
};

}  // namespace steertag::rdma::roce
