// Ports: where the packets of each one-way flow of a pair of QPs go. Packets come
// in runs of the same two flows, so these are looked at first, and most packets
// cost no search at all.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>

#include "rdma/op.h"
#include "track/half.h"

namespace steertag::track {

template <typename Link>
class Ports {
 public:
  struct Port {
    Link* link = nullptr;  // null: none
    rdma::Side from = rdma::Side::a;
    explicit operator bool() const { return link != nullptr; }
  };

  Port find(const Half& half) {
    for (const Recent& recent : recent_) {
      if (recent.port && recent.half == half) [[likely]] {
        return recent.port;
      }
    }
    const auto found = all_.find(half);
    if (found == all_.end()) {
      return {};
    }
    recent_[next_++ % recent_.size()] = {half, found->second};
    return found->second;
  }
  void set(const Half& half, Port port) {
    all_[half] = port;
    recent_ = {};
  }
  void erase(const Half& half) {
    all_.erase(half);
    recent_ = {};
  }
  void clear() {
    all_.clear();
    recent_ = {};
  }

 private:
  struct Recent {
    Half half;
    Port port;
  };
  absl::flat_hash_map<Half, Port> all_;
  std::array<Recent, 2> recent_{};
  size_t next_ = 0;
};

}  // namespace steertag::track
