// What the network and the capture do to the packets of one line: losses and
// their repair, packets missing from the capture, duplicated or reordered in it,
// frames cut short; and, over the whole trace, more than one tap.
#pragma once

#include <vector>

#include "scenario/script.h"
#include "scenario/transport.h"

namespace steertag::scenario {

std::vector<Datagram> apply_faults(std::vector<Datagram> line, const Handling& handling,
                                   Transport& transport);

// One tap sees each direction, with a clock of its own, or two taps see
// everything. Keeps the frames in the order of their times. `from` says who
// sent each of `frames`.
void apply_taps(Taps taps, int64_t skew_ns, const std::vector<Side>& from, std::vector<SynthFrame>& frames);

}  // namespace steertag::scenario
