// Loss: the holes in one direction's PSN sequence that were given up: the capture lacks these
// packets. A hole is reported once its extent is known, and remembered for a while, so that a
// packet which merged taps show late still counts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frame.h"
#include "rdma/missing.h"
#include "rdma/op.h"
#include "rdma/roce/icrc_watch.h"

namespace steertag::rdma::roce {

class Loss {
 public:
  static constexpr size_t kMaxHoles = 16;  // that are remembered; the oldest is forgotten first

  enum class Hole : uint8_t { another, goes_on };  // what is given up: a hole, or more of the latest one
  enum class Place : uint8_t { elsewhere, in_hole };

  // `icrcs`: those that were dropped for their ICRC are in the capture all the same.
  Loss(Listener& listener, Side from, const IcrcWatch& icrcs)
      : listener_(listener), icrcs_(icrcs), from_(from) {}

  // The packets [begin, end) are not coming. `proof`: what acknowledges them.
  Hole add(uint32_t begin, uint32_t end, const Stamp& at, const std::optional<Stamp>& proof);
  // Is that packet one of them?
  Place find(uint32_t psn) const;
  // It came after all. Of its hole only the part after it is still remembered, since late packets come in
  // order, too.
  void came_late(uint32_t psn);
  // PSNs wrap: forgets the holes that are not a short way behind `expected`.
  void forget_far_from(uint32_t expected);
  void forget() { holes_.clear(); }

  // A packet follows the latest hole.
  void followed() {
    if (missing_.waits()) [[unlikely]] {
      report(missing_.take(from_));
    }
  }

 private:
  struct Extent {
    uint32_t begin, end;  // PSNs [begin, end)
  };
  void report(std::optional<Anomaly> missing);

  Listener& listener_;
  const IcrcWatch& icrcs_;
  Side from_;
  Missing missing_;
  std::vector<Extent> holes_;
};

}  // namespace steertag::rdma::roce
