// Arrival: a packet on its way to the tables of connections: what one frame carried,
// when, as which of all frames, and what is known of it as long as nobody asks whose it
// is. Made by Intake (intake.h).
//
// It can be copied, and waits as long as the bytes do that its views point into: those
// of the frame, or, where it was put together from fragments, what keep() copies.
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
  rdma::roce::Bth bth;  // where it is one of InfiniBand's
  Stamp at;
  uint64_t order = 0;      // of its frame among all frames fed, from 1
  bool copy = false;       // the capture holds it once more: copy_filter.h
  bool marked = false;     // with ECN's CE, which no copy had before
  bool assembled = false;  // from fragments: good until the next frame is taken, unless it is kept
  std::optional<rdma::roce::IcrcCheck> icrc;  // RoCEv2, where ICRCs are verified
  std::shared_ptr<const std::vector<uint8_t>> kept;

  // Which of so many shares it belongs to: that of the two hosts that it goes between. Always the same.
  uint32_t share(uint32_t shares) const;

  // Copies the bytes that are not the frame's, so that it may wait. Precondition: they are good still.
  void keep();
};

}  // namespace steertag::track
