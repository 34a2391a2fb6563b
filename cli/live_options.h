// The options of a capture that is made here and now (-i), beside what the commands that read captures have
// in common, and how they are read from the command line.
// host/run_options.h says what is asked for.
#pragma once

#include "options.h"

namespace steertag::cli {

// Of the commands that may capture: -i, and what belongs to it. CAPTURE is not required from here on.
void add_live_options(CLI::App& command, ReadingOptions& options);
// To be called once the command line is known: complains (by CLI's errors) where there is no capture, or
// both. `none`: nothing is read at all.
void check_live(const CLI::App& command, ReadingOptions& options, bool none = false);

void add_ring_options(CLI::App& command, ReadingOptions& options);

}  // namespace steertag::cli
