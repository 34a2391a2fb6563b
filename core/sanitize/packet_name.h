// PacketName: which packet of RoCE or InfiniBand it is: where it goes, its PSN, and what kind of operation it
// is of. All of its copies have the same, and so has what is sent again; two packets that carry the same
// bytes by chance do not.
//
// A Survey hears of an operation when its turn comes. So PacketNames has those of the latest frames.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "frame.h"
#include "link/packet.h"
#include "rdma/roce/bth.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

struct PacketName {
  uint32_t dest_qp = 0, psn = 0;
  rdma::roce::Operation operation{};
};

// For a Plan: of a packet with this payload. Where its name is not known, of any with it.
uint64_t hash(const Key& key, const std::optional<PacketName>& name, Bytes payload);

class PacketNames {
 public:
  static constexpr size_t kMost = 65536;  // packets that are remembered

  void add(const Stamp& at, const link::Packet& packet);
  std::optional<PacketName> find(const Stamp& at) const;
  size_t size() const { return names_.size(); }

 private:
  using Frame = std::pair<uint32_t, uint64_t>;  // its file and number

  absl::flat_hash_map<Frame, PacketName> names_;
  std::deque<Frame> frames_;  // of names_, the oldest first
};

}  // namespace steertag::sanitize
