// Unread: whether an end may have advertised memory that the analyzer does not know of, because a
// message of it was cut by the snaplen or could not be followed for want of room, or because the
// chunk lists of an open Call cannot be decoded. If so, an RDMA operation to unknown memory is no
// proof of a mistake.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "memory/traffic_keeper.h"

namespace steertag::memory {

class Unread {
 public:
  // A message of `owner` may have advertised more than is known. Counts for the rest of the connection.
  void note_cut(Side owner) { cut_[rdma::index(owner)] = true; }
  // Nobody can decode the chunk lists of the Call, not even its peer. Counts until note_over().
  void note_unreadable(Advertisement& call) {
    call.unreadable = true;
    ++calls_[rdma::index(call.exchange->requester)];
  }
  void note_over(Advertisement& call) {
    if (std::exchange(call.unreadable, false)) {
      --calls_[rdma::index(call.exchange->requester)];
    }
  }
  bool any(Side owner) const { return cut_[rdma::index(owner)] || calls_[rdma::index(owner)] != 0; }

 private:
  std::array<bool, 2> cut_{};
  std::array<uint32_t, 2> calls_{};  // that cannot be decoded and are not over
};

}  // namespace steertag::memory
