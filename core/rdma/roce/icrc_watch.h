// IcrcWatch: the ICRCs of the packets of one direction of a connection, where
// they are verified. A single wrong one is a damaged packet. Where none at all
// is right, packets were probably captured before the hardware filled the field
// in, which is nobody's mistake; so wrong ones wait until a right one is seen.
#pragma once

#include <cstdint>
#include <optional>

#include "rdma/anomaly.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

class IcrcWatch {
 public:
  // The next packet; precondition: packet.icrc.
  std::optional<Anomaly> add(Side from, const Packet& packet, const Stamp& at);
  // No more packets come.
  std::optional<Anomaly> finish();

  // Has a right one been seen? Then the receiver drops those that are wrong.
  bool proven() const { return right_; }

 private:
  bool right_ = false;
  std::optional<Anomaly> waiting_;  // the first wrong one; its count says how many there are
};

}  // namespace steertag::rdma::roce
