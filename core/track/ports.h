// Ports: maps each one-way flow of a pair of QPs to its connection and sender. Packets come in
// runs of the same few flows, so the latest flows are looked at first, and most packets cost no
// search at all.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "rdma/op.h"
#include "track/half.h"
#include "track/recent.h"

namespace steertag::track {

template <typename Link>
class Ports {
 public:
  struct Port {
    Link* link = nullptr;  // null: none
    rdma::Side from = rdma::Side::a;
    explicit operator bool() const { return link != nullptr; }
  };

  Port find(const Half& half) const {
    const auto found = all_.find(half);
    return found == all_.end() ? Port{} : found->second;
  }
  // The same for a packet with that link::Packet::flow; `half` makes its Half where that is needed.
  template <typename MakeHalf>
  Port find(uint64_t flow, uint32_t qpn, const MakeHalf& half) {
    if (const Port* known = recent_.find(flow, qpn)) [[likely]] {
      return *known;
    }
    const Port found = find(half());
    if (found) {
      recent_.keep(flow, qpn, found);
    }
    return found;
  }
  // find() comes soon: prefetches the memory that it will take (base/fetch.h).
  template <typename MakeHalf>
  void expect(uint64_t flow, uint32_t qpn, const MakeHalf& half) const {
    if (recent_.find(flow, qpn) == nullptr) {
      all_.prefetch(half());
    }
  }
  void set(const Half& half, Port port) {
    all_[half] = port;
    recent_.forget();
  }
  void erase(const Half& half) {
    all_.erase(half);
    recent_.forget();
  }
  void clear() {
    all_.clear();
    recent_.forget();
  }

 private:
  absl::flat_hash_map<Half, Port> all_;
  Recent<Port> recent_;
};

}  // namespace steertag::track
