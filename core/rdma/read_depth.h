// ReadDepth: counts how many RDMA Reads one side had outstanding together. That is known
// afterwards: earlier Reads whose last Response was seen after a Request were outstanding
// when it was sent. So loss, and gaps of the capture, can only make the count too small.
//
// To save work, completed Reads are numbered, and a Read compares the numbers at its own
// Request and at its end. Only if that difference may be a new peak are the Reads that were
// completed in between looked through.
#pragma once

#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "frame.h"

namespace steertag::rdma {

class ReadDepth {
 public:
  // So many Reads, besides one, are counted as outstanding together: more than any RNIC has.
  static constexpr size_t kMostCounted = 1024;

  // Kept with each Read.
  struct Turn {
    uint64_t number = 0;     // of the Request
    uint64_t completed = 0;  // Reads completed before it
  };
  struct Peak {
    uint32_t reads = 1;
    Stamp first_done;  // when the first of the earlier Reads was complete
  };

  // The next Read was requested.
  Turn request() { return {requests_++, completed_}; }

  // How many Reads were outstanding when the one with this turn was requested, at `requested`, if more than
  // ever before. To be called once for each Read, when it is complete and before count().
  std::optional<Peak> peak(const Turn& turn, const Stamp& requested);
  // The Read was complete at `at`. `oldest`: the turn of the oldest Read that is not forgotten.
  void count(const Turn& turn, const Turn& oldest, const Stamp& at);

  void expect() const { completions_.expect(); }
  size_t bytes() const { return completions_.bytes(); }  // of the heap

 private:
  struct Completion {
    uint64_t read = 0;   // Turn::number
    uint64_t place = 0;  // among the completed, from 0
    Stamp at;
  };

  uint64_t requests_ = 0;
  uint64_t completed_ = 0;
  uint32_t peak_ = 1;
  base::Newest<Completion, kMostCounted> completions_;
};

}  // namespace steertag::rdma
