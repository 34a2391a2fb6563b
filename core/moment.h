// Moment: when, in the course of following a whole capture, something is said. One process
// says things in order of their Moments; and a Moment follows from the frames alone, so that
// what several say, each about a share of the connections, can be put in the same order.
#pragma once

#include <compare>
#include <cstdint>

namespace steertag {

struct Moment {
  // What happens at a frame, in this order; and behind the last one.
  enum class Phase : uint8_t {
    closing,   // connections whose DREQ was long ago end
    packet,    // the frame's packet is followed
    agenda,    // what has waited long enough is reported
    relief,    // what is too much for the memory is given up
    unpaired,  // at the end: one-way flows that waited for their counterpart
    roce,      // connections that are open still
    iwarp,
    attempts,  // those to set up a connection that failed
    over,
  };
  static constexpr uint64_t kEnd = UINT64_MAX;

  uint64_t frame = 0;  // its ordinal among all frames fed, from 1; kEnd behind the last one
  Phase phase = Phase::closing;
  uint64_t since = 0;  // of those whose turn comes in one phase of one frame, who waits longest is first ...
  uint64_t order = 0;  // ... then whose connection began first (track::Connection::order)

  void turn(Phase what, uint64_t waiting_since = 0, uint64_t began = 0) {
    phase = what;
    since = waiting_since;
    order = began;
  }

  friend constexpr auto operator<=>(const Moment&, const Moment&) = default;
};

}  // namespace steertag
