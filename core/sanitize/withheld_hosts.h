// WithheldHosts: pairs of hosts whose packets to each other are not shown from a frame on, since an audit
// would say more of what is left of them than of the capture. withhold() writes such a packet: its addresses,
// and zeros in a protocol that has no meaning.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <set>
#include <utility>

#include "base/address.h"
#include "link/ip.h"
#include "sanitize/canvas.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

class WithheldHosts {
 public:
  // `cuts`: frames, counted from 1. From each of them on, its two hosts are withheld.
  explicit WithheldHosts(std::set<uint64_t> cuts) : cuts_(std::move(cuts)) {}

  // Asked for each packet of RDMA or TCP, in the order of frames.
  bool withhold(uint64_t frame, const base::Address& source, const base::Address& destination);
  // A damaged packet is as good as missing: it is not shown, whether its hosts are withheld or not.
  void lose(uint64_t frame, const Canvas& canvas, const Key& key, const link::IpHeader& ip);

  uint64_t packets() const { return packets_; }  // that were withheld
  // Of hosts that are withheld from a frame on, the latest frame before it with a damaged packet: it is
  // missing from their stream, which may be said in any frame behind it.
  const std::set<uint64_t>& earlier_cuts() const { return earlier_cuts_; }

 private:
  using Hosts = std::pair<base::Address, base::Address>;  // the lesser one first
  const std::set<uint64_t> cuts_;
  absl::flat_hash_set<Hosts> withheld_;
  absl::flat_hash_map<Hosts, uint64_t> damaged_at_;  // the latest frame with a damaged packet
  std::set<uint64_t> earlier_cuts_;
  uint64_t packets_ = 0;
};

void withhold(const Canvas& canvas, const Key& key, const link::IpHeader& ip);
void withhold_grh(const Canvas& canvas, Bytes grh);
void withhold_lrh(const Canvas& canvas, Bytes lrh);

}  // namespace steertag::sanitize
