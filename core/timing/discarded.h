// Discarded: which RDMA Read Responses were asked for again, although no copy of them need have been lost
// (IBTA vol. 1 §9.7.5). A Requester discards what follows a Response that it lacks. And an acknowledgment of
// what follows a Read tells it that Responses are missing: it asks again, although they are on their way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "rdma/op.h"
#include "timing/complaint.h"
#include "timing/said.h"

namespace steertag::timing {

class Discarded {
 public:
  // The sender of the Responses acknowledges all that its peer sent before `position`.
  void acknowledges(uint64_t position, const Stamp& at) { acknowledged_ = {position, at}; }
  void asks(const rdma::Late& request);  // a Read Request comes again
  void begin() {                         // a run
    acknowledged_.before = 0;
    begun_ = true;
  }
  // `late` goes again with `run`, the latest.
  void go_on(const rdma::Late& late, LossRun& run);
  void end(const LossRun& run) { over_ = place_of(run); }
  // `late` begins another run, `loss`, which says so where it need not have been lost; so do those of `runs`
  // that followed it. Whether its receiver lacked it. `runs`: those that are not over, by time.
  bool lacks(const rdma::Late& late, std::vector<LossRun>& runs, const std::optional<Complaint>& complaint,
             flow::Loss& loss) const;

 private:
  enum class Why : uint8_t {
    lost,
    unanswered,  // the Request before this one asked for it, too: that was lost, or what answers it
    discarded,
    on_its_way,
  };
  struct Acknowledged {
    uint64_t before = 0;  // place; 0: nothing since the latest Response that went again
    Stamp at;
  };
  struct Place {  // of a run
    uint64_t begin = 0, end = 0;
    LossRun::Passed passed;
    bool hole = false;
    Stamp resent;
  };
  static Place place_of(const LossRun& run) {
    return {run.begin, run.end, run.passed, run.hole, *run.loss.resent};
  }

  struct Asked {  // by Read Requests, one behind the other
    uint64_t begin = 0, end = 0;
    Stamp first, last;
  };

  struct Judged {
    Why why = Why::lost;
    std::optional<Stamp> lacked;  // since when: a copy of it that did not count
  };
  Judged judge(const rdma::Late& late, const std::vector<LossRun>& runs,
               const std::optional<Complaint>& complaint) const;
  static void excuse(std::vector<LossRun>& runs, uint64_t hole, const std::optional<Stamp>& since);

  Acknowledged acknowledged_;
  Asked asked_, before_;  // the latest, and those before
  bool begun_ = true;     // a run has begun since
  Place over_;            // of the run that was over last; empty: none was
};

}  // namespace steertag::timing
