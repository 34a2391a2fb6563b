// Ending: a connection about which nothing more will come, with what its
// history left open. The Engine gathers it, and shows it to the rules once, when
// the connection has ended or the capture has.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/characteristics.h"
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

  const flow::Characteristics* characteristics = nullptr;  // what its ends told each other; may be null
};

}  // namespace steertag::rules
