// Skipped: what the tap lacks of what a RoCE sender sent again. The sender goes back and sends all again from
// there on, in order (IBTA vol. 1 §9.7.5), so what is lacking was lost in front of the tap. Of RDMA Read
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
  // `late` goes again, but not what begins at `from`. Of Responses this counts where one Request asks for
  // that, and for `near` or `late`.
  void skip(uint64_t from, uint64_t near, const rdma::Late& late);
  void go_on(const rdma::Late& late) { forget(late); }  // it goes again with a run
  // `late` begins another run, of which `complaint` told its sender. The place up to which what goes again
  // with it had been skipped; 0: it had not been, or comes out of order.
  uint64_t begin(const rdma::Late& late, const std::optional<Complaint>& complaint);
  size_t bytes() const { return (asked_.capacity() + skipped_.capacity()) * sizeof(Stretch); }  // of the heap

 private:
  struct Stretch {  // of places
    uint64_t begin = 0, end = 0;
    int64_t noted_ns = 0;  // when

    bool holds(uint64_t place) const { return begin <= place && place < end; }
  };
  static void note(std::vector<Stretch>& stretches, const Stretch& one);
  void forget(const rdma::Late& late);  // a copy of it was seen: if it is lost now, that is another loss

  std::vector<Stretch> asked_, skipped_;  // by time
};

}  // namespace steertag::timing
