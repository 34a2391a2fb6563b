// Unread: whether an end may have advertised more memory than is known: a message of it was
// cut, or dropped for want of room; or a Call is under way of which nobody can make out the
// chunk lists. Then an RDMA operation to unknown memory is nobody's mistake for certain.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "flow/traffic_keeper.h"

namespace steertag::flow {

class Unread {
 public:
  // A message of `owner` advertised more than is known, and perhaps for good.
  void note_cut(Side owner) { cut_[rdma::index(owner)] = true; }
  // Nobody can make out all that the Call advertises, until it is over.
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
  std::array<uint32_t, 2> calls_{};  // under way, that cannot be read
};

}  // namespace steertag::flow
