// Missing: merges the holes of one direction, which are not in the capture, and reports them as
// Anomaly::Kind::missing. Holes that touch are one hole; so each waits until something follows
// it, and its extent is known. Positions are PSNs (RoCE) or offsets in a TCP stream (iWARP).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "frame.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"

namespace steertag::rdma {

struct MissingHole {
  uint64_t begin = 0, end = 0;  // [begin, end)
  uint64_t count = 0;           // packets or bytes
  Stamp at;                     // the frame that shows it
  std::optional<Stamp> proof;   // what acknowledges all of it
};

class Missing {
 public:
  // Adds a hole. Returns the one that waited if this one does not continue it: it can be reported now.
  std::optional<Anomaly> add(Side from, const MissingHole& hole);
  // Returns the hole that waited, since something follows it; empty where none did.
  std::optional<Anomaly> take(Side from);
  // The first of its packets came late: it begins one further on, at `next`.
  void shorten(uint64_t first, uint64_t next);

  bool waits() const { return hole_ != nullptr; }

 private:
  std::unique_ptr<MissingHole> hole_;  // rare, so it takes no room elsewhere
};

}  // namespace steertag::rdma
