// Arrival: a packet on its way to the tables of connections: what one frame carried, its time
// and number, and all that can be said of it without knowing its connection. Made by Intake
// (intake.h).
//
// It can be copied, and may wait as long as the bytes exist that its views point into: those of
// the frame, or, where it was put together from fragments, the copy that keep() makes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "rdma/roce/bth.h"
#include "rdma/roce/packet.h"

namespace steertag::track {

struct Arrival {
  link::Packet packet;
  rdma::roce::Bth bth;  // of RoCE and InfiniBand packets
  Stamp at;
  uint64_t order = 0;      // of its frame among all frames fed, from 1
  bool copy = false;       // the capture holds it for a second time: copy_filter.h
  bool marked = false;     // with ECN's CE, which no earlier copy had
  bool assembled = false;  // from fragments: its views are good until the next frame is taken, unless kept
  std::optional<rdma::roce::IcrcCheck> icrc;  // RoCEv2, where ICRCs are verified
  std::shared_ptr<const std::vector<uint8_t>> kept;

  // Which of so many shares it belongs to: that of the two hosts that it goes between. It never changes.
  uint32_t share(uint32_t shares) const;

  // Copies the bytes that are not the frame's, so that it may wait. Precondition: they are still good.
  void keep();
};

}  // namespace steertag::track
