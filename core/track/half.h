// Half: one of the two one-way flows of a pair of QPs, as its packets name it: an
// RC packet names only the QP that it goes to. It is the key of all tables in this
// folder that are about RoCE and InfiniBand.
#pragma once

#include <cstdint>
#include <utility>

#include "base/address.h"

namespace steertag::track {

struct Half {
  base::Address source, destination;
  uint32_t qpn = 0;  // of the destination, 24 bits

  friend bool operator==(const Half&, const Half&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Half& half) {
    return H::combine(std::move(h), half.source, half.destination, half.qpn);
  }
};

}  // namespace steertag::track
