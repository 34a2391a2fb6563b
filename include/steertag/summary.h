// What `steertag schema` describes, as structs of your own. A member that does not apply is unset, empty, 0
// or false.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <steertag/version.h>

namespace steertag::v0 {

struct SummaryFindings {
  uint64_t error = 0;  // Findings of severity error.
  uint64_t warning = 0;  // Findings of severity warning.
  uint64_t note = 0;  // Findings of severity note.
  // Findings that a baseline or the configuration accepts, where there is one that accepts any.
  std::optional<uint64_t> known;
};

struct SummarySeen {
  std::string protocol;
  std::string transport;  // The RDMA transport.
  uint64_t port = 0;  // RDMA CM or TCP.
  std::string usually;
  uint64_t connections = 0;  // Left out where it is 0.
  std::optional<uint64_t> without_setup;
  uint64_t rejected = 0;  // Left out where it is 0.
  uint64_t frames = 0;  // Left out where it is 0.
};

// How much was read, and what was found in it.
struct Summary {
  uint64_t frames = 0;  // Frames that were read.
  uint64_t messages = 0;  // RPC-over-RDMA messages in them.
  uint64_t rpcs = 0;  // RPCs.
  uint64_t connections = 0;  // Connections that carry RPC-over-RDMA.
  // From audit: how many count, of each severity; how many are known.
  std::optional<SummaryFindings> findings;
  uint64_t lost = 0;  // Packets that are known to be missing from the capture.
  // Frames that whoever captured it says were lost, of whatever kind; absent: it says of none.
  uint64_t dropped = 0;
  // What was given up to stay within Settings::memory: connections, RPCs, packets that waited.
  uint64_t memory_evicted = 0;
  std::vector<SummarySeen> seen;  // Where there is no RPC-over-RDMA: what there is instead.
};

}  // namespace steertag::v0
