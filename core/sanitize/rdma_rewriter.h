// RdmaRewriter: writes packets of RoCE and InfiniBand from the BTH on. Numbers of queue pairs and packets,
// addresses in memory and their keys stay; of the payload, what the Plan has. Of a packet that was damaged on
// its way, less stays.
#pragma once

#include <cstdint>

#include "link/packet.h"
#include "rdma/roce/packet.h"
#include "sanitize/address_map.h"
#include "sanitize/canvas.h"
#include "sanitize/key.h"
#include "sanitize/plan.h"
#include "sanitize/soundness.h"

namespace steertag::sanitize {

class RdmaRewriter {
 public:
  RdmaRewriter(const Key& key, const Plan& plan, const Canvas& canvas, AddressMap& addresses,
               Soundness& soundness)
      : key_(key), plan_(plan), canvas_(canvas), addresses_(addresses), soundness_(soundness) {}

  void take(const link::Packet& packet);

  uint64_t damaged() const { return damaged_; }  // packets

 private:
  void take_damaged(const link::Packet& packet, const rdma::roce::Packet& read);
  void mend_icrc(const link::Packet& packet);

  const Key& key_;
  const Plan& plan_;
  const Canvas& canvas_;
  AddressMap& addresses_;
  Soundness& soundness_;
  uint64_t damaged_ = 0;
};

}  // namespace steertag::sanitize
