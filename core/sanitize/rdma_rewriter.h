// RdmaRewriter: writes packets of RoCE and InfiniBand from the BTH on. Numbers of queue pairs and packets,
// addresses in memory and their keys stay; of the payload, what the Plan has. Of a packet that was damaged on
// its way, less stays.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <tuple>

#include "base/address.h"
#include "link/packet.h"
#include "rdma/roce/packet.h"
#include "sanitize/address_map.h"
#include "sanitize/canvas.h"
#include "sanitize/key.h"
#include "sanitize/plan.h"
#include "sanitize/soundness.h"

namespace steertag::sanitize {

// OpenMessages: remembers where each sender is in the midst of a message, for the packet that comes next.
// What calls itself the first one there, or a whole one with a handle to invalidate, has a wrong opcode, and
// content where its headers would be.
class OpenMessages {
 public:
  static constexpr size_t kMost = 65536;  // ways that it remembers

  bool interrupted_by(const link::Packet& packet, const rdma::roce::Packet& read) const;
  // Each sound packet, in the order of frames.
  void add(const link::Packet& packet, const rdma::roce::Packet& read);

 private:
  // From, to, destination QP; requests, or responses.
  using Way = std::tuple<base::Address, base::Address, uint32_t, bool>;

  absl::flat_hash_map<Way, uint32_t> next_;  // the PSN of the next packet of its message
};

class RdmaRewriter {
 public:
  RdmaRewriter(const Key& key, const Plan& plan, const Canvas& canvas, AddressMap& addresses,
               Soundness& soundness)
      : key_(key), plan_(plan), canvas_(canvas), addresses_(addresses), soundness_(soundness) {}

  void take(const link::Packet& packet);

  uint64_t damaged() const { return damaged_; }  // packets

 private:
  void take_sound(const link::Packet& packet, const rdma::roce::Packet& read);
  void take_damaged(const link::Packet& packet, const rdma::roce::Packet& read);
  void clear_misplaced_icrc(const link::Packet& packet) const;
  void mend_icrc(const link::Packet& packet);

  const Key& key_;
  const Plan& plan_;
  const Canvas& canvas_;
  AddressMap& addresses_;
  Soundness& soundness_;
  OpenMessages open_;
  uint64_t damaged_ = 0;
};

}  // namespace steertag::sanitize
