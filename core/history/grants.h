// Grants: what one Responder has granted (rdma_credit of its Replies), and the
// most that its Requester may rely on. A Requester cannot obey a reduction that
// it has not received, so a grant stays in force for a while after the next one
// has passed the tap.
#pragma once

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "flow/standing.h"
#include "history/grant_trend.h"

namespace steertag::history {

class Grants {
 public:
  static constexpr size_t kMaxKept = 64;

  // A grant of 0 is none.
  void note(uint32_t credit, const Stamp& at) {
    if (credit == 0) {
      return;
    }
    trend_.note(credit, at);
    if (missed_) {
      missed_ = false;
      unknown_from_ns_ = at.time_ns;
    }
    keep(credit, at);
  }

  // For a message whose credits may or may not be a grant: they can only raise what the newest one allows.
  void note_raise(uint32_t credit, const Stamp& at) {
    if (!missed_ && !kept_.empty() && credit > kept_.back().grant.value) {
      trend_.note_raise(credit);
      keep(credit, at);
    }
  }

  // A Reply may be missing: it may have granted anything.
  void note_gap() {
    missed_ = true;
    trend_.note_gap();
  }

  const GrantTrend& trend() const { return trend_; }

  // `window_ns`: how long a superseded grant may still be the newest that the Requester has.
  std::optional<Established<uint32_t>> most(int64_t now_ns, int64_t window_ns) {
    while (kept_.size() > 1 && kept_.front().until_ns + window_ns < now_ns) {
      kept_.erase(kept_.begin());
    }
    const bool unknown = missed_ || (unknown_from_ns_ && *unknown_from_ns_ + window_ns >= now_ns);
    if (kept_.empty() || unknown) {
      return std::nullopt;
    }
    return kept_.front().grant;
  }
  size_t bytes() const { return kept_.size() > 2 ? kept_.capacity() * sizeof(Kept) : 0; }  // of the heap

 private:
  struct Kept {
    Established<uint32_t> grant;
    int64_t until_ns = 0;  // when the first smaller one followed
  };

  void keep(uint32_t credit, const Stamp& at) {
    while (!kept_.empty() && kept_.back().grant.value <= credit) {
      kept_.pop_back();
    }
    if (!kept_.empty()) {
      kept_.back().until_ns = std::min(kept_.back().until_ns, at.time_ns);
    }
    kept_.push_back({{credit, at}, INT64_MAX});
    if (kept_.size() > kMaxKept) {
      kept_.erase(kept_.end() - 2);  // the largest must stay
    }
  }

  absl::InlinedVector<Kept, 2> kept_;  // in order of time; values descend
  GrantTrend trend_;
  bool missed_ = false;
  std::optional<int64_t> unknown_from_ns_;
};

}  // namespace steertag::history
