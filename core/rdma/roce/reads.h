// Reads: the RDMA Reads that one side has started, oldest first, so that the
// Responses which carry no address can be tied to the memory they come from.
//
// Response packets carry exactly the PSNs that their Request took. A Read that
// was retried from the middle (IBTA vol. 1 §9.7) is the same Read: its restarted
// Responses repeat PSNs of the same range. Complete Reads are kept for a while,
// so that their repeated Responses are known as such.
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

  bool done() const { return delivered.total() >= memory.length; }
};

class Reads {
 public:
  // More than any RNIC has outstanding (256 at most); the oldest is forgotten first.
  static constexpr size_t kMaxReads = 512;

  void add(uint64_t id, uint32_t psn, const Memory& memory);

  // The Read whose PSN range holds `psn`, newest first; null where there is none.
  // The range needs the path MTU; 256, its least value, gives the widest.
  OutstandingRead* find(uint32_t psn, uint32_t path_mtu);

  void clear() { used_ = 0; }

 private:
  // A ring that keeps its elements' memory.
  std::vector<OutstandingRead> ring_;
  size_t begin_ = 0;
  size_t used_ = 0;
};

}  // namespace steertag::rdma::roce
