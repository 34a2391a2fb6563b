// The bound of ReadDepth: one below, at and above.
#include <catch2/catch.hpp>
#include <vector>

#include "rdma/read_depth.h"

using namespace steertag;
using rdma::ReadDepth;

TEST_CASE("bounds: Reads that later ones count as outstanding with them") {
  constexpr size_t kMost = ReadDepth::kMostCounted + 1;  // with the one that counts
  for (const size_t outstanding : {kMost - 1, kMost, kMost + 1}) {
    ReadDepth depth;
    std::vector<ReadDepth::Turn> turns;
    uint64_t frame = 0;
    for (size_t i = 0; i < outstanding; ++i) {
      turns.push_back(depth.request());
    }
    uint32_t most = 0;
    for (const ReadDepth::Turn& turn : turns) {
      if (const auto peak = depth.peak(turn, {.number = outstanding})) {
        most = peak->reads;
      }
      depth.count(turn, turns.front(), {.number = outstanding + ++frame});
    }
    CHECK(most == std::min(outstanding, kMost));
  }
}
