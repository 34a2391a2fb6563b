// The run of a command that reads captures: open them, follow every frame, let a
// Reporter print what is found, and finish. Everything that the commands share, except
// what they print.
#pragma once

#include "inspector.h"
#include "options.h"
#include "reporter.h"

namespace steertag::cli {

// Returns the exit status; throws Failure where a capture cannot be read.
int run(const ReadingOptions& options, const MakeReporter& make_reporter);

}  // namespace steertag::cli
