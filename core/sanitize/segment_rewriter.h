// SegmentRewriter: writes TCP segments behind their fixed headers. Options that tell nothing of anybody stay;
// of iWARP, what the Plan has of each stream. Of other content nothing stays. It remembers how far each
// stream has come.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "link/packet.h"
#include "sanitize/canvas.h"
#include "sanitize/plan.h"

namespace steertag::sanitize {

class SegmentRewriter {
 public:
  SegmentRewriter(const Plan& plan, const Canvas& canvas) : plan_(plan), canvas_(canvas) {}

  // Segments come in the order of their frames. `order`: of the frame, from 1. `changed`: it was sent before,
  // with other content.
  void take(const link::Packet& segment, uint64_t order, bool changed);

 private:
  void take_options(Bytes options) const;
  void take_stream(const link::Packet& segment, uint64_t order, bool changed);

  const Plan& plan_;
  const Canvas& canvas_;
  absl::flat_hash_map<const Stream*, uint64_t> reached_;  // offset behind the latest segment
};

}  // namespace steertag::sanitize
