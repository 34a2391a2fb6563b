// Recent: a cache in front of a table of connections: what the packets of the latest flows led
// to, by flow number (link::Packet::flow) and destination QP, so that most packets cost no
// search. The owner of the table calls forget() whenever the table changes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/fold.h"

namespace steertag::track {

template <typename T>
class Recent {
 public:
  static constexpr size_t kFlows = 64;

  // Null where it is not known; good until the next call of keep() or forget().
  const T* find(uint64_t flow, uint32_t qpn = 0) const {
    const Pair& pair = pairs_[place(flow, qpn)];
    for (const Seen& seen : pair) {
      if (seen.flow == flow && seen.qpn == qpn) {
        return flow != 0 ? &seen.what : nullptr;
      }
    }
    return nullptr;
  }
  void keep(uint64_t flow, uint32_t qpn, const T& what) {
    Pair& pair = pairs_[place(flow, qpn)];
    pair[1] = pair[0];
    pair[0] = {flow, qpn, what};
  }
  void forget() { pairs_ = {}; }

 private:
  struct Seen {
    uint64_t flow = 0;  // 0: nothing
    uint32_t qpn = 0;
    T what{};
  };
  using Pair = std::array<Seen, 2>;  // the later one first

  static size_t place(uint64_t flow, uint32_t qpn) {
    return base::fold(flow ^ base::kSalt[0], qpn ^ base::kSalt[1]) % (kFlows / 2);
  }

  std::array<Pair, kFlows / 2> pairs_{};
};

}  // namespace steertag::track
