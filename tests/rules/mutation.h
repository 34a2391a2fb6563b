// mutate(): a capture as misfortune would have left it: begun later, thinned, cut,
// doubled, swapped, split over files, skewed, mirrored in a tunnel, merged with
// another. Which of these, says `kind`; the rest is drawn from `random`.
#pragma once

#include <random>
#include <string>

#include "support/trace.h"

namespace steertag::test {

using support::Trace;
using support::TraceFrame;

struct Mutation {
  std::string name;
  Trace trace;
  bool skewed = false;
};

constexpr int kKinds = 15;
// The second of two misfortunes at once is none of this kind: of a Call and its ACK that are both missing
// just before the end nothing reveals, and a Reply without its Call is then said to be likely a mistake.
constexpr int kEndsEarly = 1;
// Nor is it this after a merge: the end of the shorter of two captures may be in the hole.
constexpr int kOffForAWhile = 9;
// Nor is the clock of one tap put ahead again: what acknowledges what does not put clocks right that are so
// far apart.
constexpr int kTapAhead = 10;
// The first frames, every other one missing: of a scenario there is little else.
constexpr int kFullOfHoles = 8;
constexpr int kMerged = kKinds - 1;

// The frame with Ethernet, IPv4, UDP and VXLAN around it; as it is where it is no Ethernet frame.
TraceFrame in_vxlan(TraceFrame frame, uint32_t link_type, uint8_t network);

// `kind`: 0 to kKinds - 1. `other`: what kMerged merges with; without frames, the capture stays as it is.
Mutation mutate(const Trace& whole, const Trace& other, int kind, std::mt19937& random);

}  // namespace steertag::test
