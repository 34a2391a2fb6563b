// PageRecords: what a page shows one by one, as records: RPCs, findings, connections, sequence numbers.
// It says how many of each are kept, and by which ranks; of how long they are it knows as much as bounds
// need. All threads that make a page have one of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "flow/exchange.h"
#include "product/kept.h"
#include "rules/finding.h"

namespace steertag::product {

struct PageRecords {
  // Connections of which sequence numbers are shown: those with the most troubles; the first of all.
  static constexpr size_t kMostTroubled = 256;
  static constexpr size_t kMostFirst = 64;
  static constexpr size_t kMostLosses = 1000;  // that took the longest

  // `memory`: bytes, of which half are for these. `gate`: null where there is one thread.
  PageRecords(size_t most_rpcs, uint64_t memory, Gate* gate = nullptr);

  Kept rpcs;         // by chance: an even sample; what is notable; the slowest
  Kept findings;     // the worst
  Kept connections;  // the first
  Kept sequences;    // of the connections with the most troubles; of the first

  std::array<Kept*, 4> all() { return {&connections, &rpcs, &findings, &sequences}; }
};

// The gravest and surest first; what is known last.
uint64_t rank_of(const rules::Finding& finding, bool known);
// Of an RPC: somewhat more than the bytes of its record.
size_t weight_of(const flow::Exchange& exchange);
// Whether it failed, or was sent again, or has no Reply.
bool is_notable(const flow::Exchange& exchange);

}  // namespace steertag::product
