// Counters: what became of the frames that a link::Decoder was given. Reports read them,
// so that they can say why nothing was found in a capture. Every frame counts as exactly
// one of roce, tcp, pauses, unknown_link, other, cut and malformed, or as a fragment
// that completes nothing.
#pragma once

#include <cstdint>

namespace steertag::link {

struct Counters {
  uint64_t frames = 0;             // all that decode() was called with
  uint64_t roce = 0;               // RoCEv1, RoCEv2, native InfiniBand packets handed on
  uint64_t tcp = 0;                // TCP segments handed on
  uint64_t pauses = 0;             // pause frames handed on, those that end a pause included
  uint64_t tunnels = 0;            // headers of tunnels and MPLS label stacks taken off
  uint64_t unknown_link = 0;       // of a link type that is not read
  uint64_t other = 0;              // of a protocol that does not concern us
  uint64_t cut = 0;                // a header was cut by the capture's snaplen
  uint64_t malformed = 0;          // lengths or headers contradict each other
  uint64_t fragments = 0;          // IP fragments seen
  uint64_t reassembled = 0;        // datagrams put together from them
  uint64_t fragments_dropped = 0;  // fragments given up: overlap, contradiction, age, lack of room
};

}  // namespace steertag::link
