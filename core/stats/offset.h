// Offset: what every operation of a server takes at least, however little there is to do for it: a NULL waits
// for it, too. Then it is not the file system that is slow, but something that each RPC passes on its way to
// it and back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/address.h"
#include "stats/topics.h"

namespace steertag::stats {

// Of so many operations, and RPCs, that all take it.
inline constexpr uint64_t kOffsetOperations = 4;
inline constexpr uint64_t kOffsetRpcs = 12;
// It is no offset where they differ more: of all their time.
inline constexpr double kOffsetShare = 0.7;

struct Offset {
  int64_t ns = 0;  // the server's own time of the quickest RPC
  uint64_t operations = 0, rpcs = 0;
  uint64_t sum_ns = 0;           // the server's own time in all of them
  const Topic* shown = nullptr;  // an operation for which there is little to do ...
  bool without_file = false;     // ... or nothing, in the file system
};

// Unset where its operations have nothing in common, are too few, or all have something to do for a file.
std::optional<Offset> common_offset(std::span<const Topic* const> topics, const base::Address& server);

}  // namespace steertag::stats
