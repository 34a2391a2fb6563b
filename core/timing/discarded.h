// Discarded: which Read Responses were asked for again although none of them was lost. A Requester discards
// what follows a hole. And an acknowledgment of what follows a Read tells it that Responses are missing (IBTA
// vol. 1 §9.7.5): it asks again, although they are on their way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rdma/op.h"
#include "timing/said.h"

namespace steertag::timing {

class Discarded {
 public:
  // The sender of the Responses acknowledges all that its peer sent before `position`.
  void acknowledges(uint64_t position) { acknowledges_ = std::max(acknowledges_, position); }
  void begin() { acknowledges_ = 0; }  // a run
  // `run`, the latest, goes on with that.
  void go_on(const rdma::Late& late, LossRun& run) const;
  void end(const LossRun& run) { over_ = place_of(run); }
  // Whether what comes again need not have been lost. `runs`: those that are not over, by time.
  bool contains(const rdma::Late& late, const std::vector<LossRun>& runs) const;

 private:
  struct Place {  // of a run
    uint64_t begin = 0, end = 0, passed = UINT64_MAX;
    Stamp resent;
  };
  static Place place_of(const LossRun& run) { return {run.begin, run.end, run.passed, *run.loss.resent}; }

  uint64_t acknowledges_ = 0;  // since the latest run began
  Place over_;                 // of the run that was over last; empty: none was
};

}  // namespace steertag::timing
