// require_printed(): what the commands print of frames by their own Reporters, in the forms that a Witness
// has not: the documents of an audit, with and without what is known, statistics, the records of the report,
// traces, how a capture differs from a part of itself, and how much of it an extract takes. Each is held to
// what its readers take, and is the same however many frames are fed together.
#pragma once

#include <cstdint>
#include <span>

#include "analyzer.h"
#include "frame.h"

namespace steertag::fuzz {

// `which`: any number, which chooses one form; an even one chooses none, since each takes as long as a
// Witness. `together`: how many frames are fed at once, from 1.
void require_printed(uint32_t which, std::span<const Frame> frames, size_t together, const Options& options);

}  // namespace steertag::fuzz
