// Of which copy of a packet a receiver speaks when it acknowledges it: of one that had passed the tap a round
// trip before, as a rule. The shortest round trip that was seen need not be the shortest there is. So a copy
// that came a little later counts where the receiver can hardly mean the copy before: it has said since that
// it lacks the packet, or that copy passed many round trips ago.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/loss.h"

namespace steertag::timing {

// A TCP sender without a complaint waits for twice a round trip, and 2 ms, at least (RFC 8985 §7.2). RoCE's
// timer can be shorter, but is set to several ms in practice.
inline constexpr int64_t kNoTimerNs = 1'000'000;

struct Said {
  int64_t at_ns = 0;
  int64_t trip_ns = 0;  // the shortest between the tap and its receiver that was seen; 0: none was
};

// `before_ns`, `latest_ns`: when these copies passed the tap. `lacked_ns`: when the receiver last said that
// it lacks the packet; INT64_MIN: never.
bool said_of_latest(const Said& said, int64_t before_ns, int64_t latest_ns, int64_t lacked_ns);

// What was sent again together.
struct LossRun {
  // Of RoCE's Read Responses.
  struct Passed {
    uint64_t place = 0;  // the first that an acknowledgment of what follows it passed; 0: none
    int64_t at_ns = 0;   // when that came
  };

  flow::Loss loss;
  uint64_t begin = 0;          // place of its first packet ...
  uint64_t end = 0;            // ... and the one behind what went again with it
  bool hole = false;           // the receiver lacked the first packet
  uint64_t skipped_until = 0;  // what begins in front of that went again before, but did not pass the tap
  Passed passed;
};

// Of those that begin as `run` does, the one with the copy that the receiver means; null: it means the first
// copy.
const flow::Loss* meant(const std::vector<LossRun>& runs, const LossRun& run, const Said& said);

}  // namespace steertag::timing
