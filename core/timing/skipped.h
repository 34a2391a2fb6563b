// Skipped: what a sender that went back sent again, but in front of the tap only. It sends all again from
// there on, in order (IBTA vol. 1 §9.7.5): what the tap lacks of that was lost in front of it. Of RDMA Read
// Responses this is known of those to one Read Request alone: another Request may itself have been lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rdma/op.h"
#include "timing/complaint.h"

namespace steertag::timing {

class Skipped {
 public:
  static constexpr size_t kMost = 64;  // stretches, and Requests; beyond that the oldest is forgotten

  void asks(const rdma::Late& request);  // a Read Request comes again
  // `late` goes again, but not what begins at `from`. `near`: of Responses, one that its Request asks for if
  // it asks for `from`.
  void skip(uint64_t from, uint64_t near, const rdma::Late& late);
  // `late` begins another run, of which `complaint` told its sender. Up to which place what goes again with
  // it was skipped before; 0: it was not. That is told once.
  uint64_t begin(const rdma::Late& late, const std::optional<Complaint>& complaint);
  size_t bytes() const { return (asked_.capacity() + skipped_.capacity()) * sizeof(Stretch); }  // of the heap

 private:
  struct Stretch {  // of places
    uint64_t begin = 0, end = 0;

    bool holds(uint64_t place) const { return begin <= place && place < end; }
  };
  static void note(std::vector<Stretch>& stretches, const Stretch& one);

  std::vector<Stretch> asked_, skipped_;  // by time
};

}  // namespace steertag::timing
