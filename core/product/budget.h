// Budget: what a CI job allows, of what statistics count: a latency of an operation ("READ.p99>50ms"), or how
// often something went wrong ("retransmissions>0"). It says when the run fails. What was not measured does
// not keep a budget: a check that cannot fail is none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/judge.h"

namespace steertag::product {

struct Budget {
  enum class Figure : uint8_t {
    mean,  // of the times of an operation, ns; the same down to max
    p50,
    p90,
    p99,
    p999,
    max,
    rpcs,  // how many; the same of all below
    failed,
    unanswered,
    retries,  // Calls that repeat an earlier one; the same and all below are known of all RPCs together
    retransmissions,
    naks,
    rnr_naks,
  };
  static constexpr std::array kFigures =
      std::to_array<std::string_view>({"mean", "p50", "p90", "p99", "p999", "max", "rpcs", "failed",
                                       "unanswered", "retries", "retransmissions", "naks", "rnr_naks"});
  static constexpr bool is_time(Figure figure) { return figure <= Figure::max; }
  // What is not known of one operation.
  static constexpr bool is_of_all(Figure figure) { return figure >= Figure::retries; }

  std::string text;       // as it was written
  std::string operation;  // "READ", of whatever version; empty: of all
  Figure figure = Figure::rpcs;
  bool above = true;   // it fails where the figure is above `limit`, otherwise where it is below
  bool equal = false;  // ... or is equal to it
  int64_t limit = 0;
};

// Why each of them that fails does so, a line each: "READ.p99 is 61.2 ms (READ.p99>50ms)".
std::vector<std::string> exceeded(const std::vector<Budget>& budgets, const stats::Counted& counted);

}  // namespace steertag::product
