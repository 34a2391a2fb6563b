// Ending: a connection about which nothing more will come, with what its
// history left open. The Engine gathers it, and shows it to the rules once, when
// the connection has ended or the capture has.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/history.h"
#include "frame.h"
#include "track/connection.h"

namespace steertag::rules {

inline constexpr int64_t kPatienceNs = 30'000'000'000;  // after which an answer is no longer on its way

struct Ending {
  const track::Connection* connection = nullptr;
  // Calls without an answer: the first few, and how many in all.
  struct Unanswered {
    uint32_t xid = 0;
    Stamp call;
  };
  static constexpr size_t kMaxListed = 16;
  std::vector<Unanswered> unanswered;
  uint64_t unanswered_count = 0;

  const flow::History* history =
      nullptr;  // what its messages have established; null where rules were not asked for
};

// An answer to what was sent at `at` could have come: the connection went on long enough, or the peer went
// past it and the connection was closed in order.
inline bool answer_was_due(const Ending& ending, bool passed, const Stamp& at) {
  const track::Connection& connection = *ending.connection;
  if (connection.last_frame.time_ns - at.time_ns >= kPatienceNs) {
    return true;
  }
  const bool in_order = connection.ended && (*connection.ended == rdma::EndReason::disconnect ||
                                             *connection.ended == rdma::EndReason::fin);
  return passed && in_order;
}

}  // namespace steertag::rules
