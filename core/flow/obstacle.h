// Obstacle: what keeps a Responder from answering a Call that it has received. The Requester or
// the network has to act first. A Responder whose RDMA Reads or RDMA Writes do not get through
// is not slow.
#pragma once

#include <cstdint>
#include <string_view>

#include "flow/exchange.h"

namespace steertag::flow {

enum class Obstacle : uint8_t {
  none,
  read_unanswered,  // an RDMA Read of the Responder has no Read Response
  read_lost,        // the same, although it was sent again
  writes_lost,      // its RDMA Writes were sent again, and not acknowledged
  no_room,          // the Requester's TCP window is closed
  link_paused,      // pause frames stopped a link for most of the time
};

// Of an Exchange whose Reply was not seen: what is known when nothing more comes of it.
Obstacle obstacle(const Exchange& exchange);

// What a sentence about a Call that waits says of it; empty where there is none.
constexpr std::string_view words(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::read_unanswered:
      return "its RDMA Read is not answered";
    case Obstacle::read_lost:
      return "its RDMA Read does not get through";
    case Obstacle::writes_lost:
      return "its RDMA Writes do not get through";
    case Obstacle::no_room:
      return "the TCP window of the other end is closed";
    case Obstacle::link_paused:
      return "pause frames stopped a link meanwhile";
    case Obstacle::none:
      break;
  }
  return {};
}

}  // namespace steertag::flow
