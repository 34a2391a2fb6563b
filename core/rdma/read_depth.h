// ReadDepth: how many RDMA Reads one side had outstanding together. That is known
// afterwards: those whose last Response went by after a Request were outstanding when
// it was sent. So loss, and gaps of the capture, can only make the count too small.
//
// Nothing is done to the Reads that wait: what went by is numbered, and a Read compares
// the numbers of its own begin and end. Only where that may be more than ever before is
// it looked through what went by in between.
#pragma once

#include <cstdint>
#include <optional>

#include "base/newest.h"
#include "frame.h"

namespace steertag::rdma {

class ReadDepth {
 public:
  // Reads that are counted as outstanding together, besides one: more than any RNIC has.
  static constexpr size_t kMostCounted = 1024;

  // Kept with each Read.
  struct Turn {
    uint64_t number = 0;     // of the Request
    uint64_t completed = 0;  // Reads, before it
  };
  struct Peak {
    uint32_t reads = 1;
    Stamp first_done;  // of those before the Read at hand, the first that was complete
  };

  // The next Read was requested.
  Turn request() { return {requests_++, completed_}; }

  // More Reads than ever before were outstanding when the one with this turn was requested, at `requested`.
  // Ask before count(), once, when it is complete.
  std::optional<Peak> peak(const Turn& turn, const Stamp& requested);
  // All that it asked for was delivered at `at`. `oldest`: the turn of the oldest Read that is not forgotten.
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
