// Half: one of the two one-way flows of a pair of QPs, as its packets name it: an
// RC packet names only the QP that it goes to. It is the key of all tables in this
// folder that are about RoCE and InfiniBand.
#pragma once

#include <cstdint>
#include <utility>

#include "base/address.h"
#include "link/packet.h"
#include "rdma/op.h"

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

// The flow that a packet belongs to, and that back to its sender, whose QP is `qpn`.
inline Half to_receiver(const link::Packet& packet, uint32_t qpn) {
  return {packet.source, packet.destination, qpn};
}
inline Half to_sender(const link::Packet& packet, uint32_t qpn) {
  return {packet.destination, packet.source, qpn};
}

inline rdma::Transport transport_of(link::Carrier carrier) {
  switch (carrier) {
    case link::Carrier::roce1:
      return rdma::Transport::roce1;
    case link::Carrier::infiniband:
      return rdma::Transport::infiniband;
    default:
      return rdma::Transport::roce2;
  }
}

}  // namespace steertag::track
