// Busy: for how long one Requester had any Call without a Reply. The rest is idle time, of which nothing is
// to be said: neither that credits were in use, nor that they were not. A Call whose Reply the capture misses
// counts as waiting to the end.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/saturating.h"

namespace steertag::stats {

class Busy {
 public:
  static constexpr size_t kMostOpen = 1024;  // Calls that are told apart; further ones do not count

  void call(uint32_t xid, int64_t at_ns) {
    if (open_.empty()) {
      since_ns_ = at_ns;
    }
    if (open_.size() < kMostOpen) {
      open_.insert(xid);
    }
  }
  void reply(uint32_t xid, int64_t at_ns) {
    if (open_.erase(xid) != 0 && open_.empty()) {
      add(at_ns);
    }
  }
  // All of it, where nothing more comes after `at_ns`; at most what an int64_t holds, 292 years.
  int64_t total_ns(int64_t at_ns) const { return open_.empty() ? total_ns_ : with(at_ns); }

 private:
  void add(int64_t at_ns) { total_ns_ = with(at_ns); }
  int64_t with(int64_t at_ns) const {  // clocks may go back
    return base::saturating_add(total_ns_, std::max<int64_t>(base::saturating_subtract(at_ns, since_ns_), 0));
  }

  absl::flat_hash_set<uint32_t> open_;
  int64_t since_ns_ = 0, total_ns_ = 0;
};

}  // namespace steertag::stats
