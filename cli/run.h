// The run of a command that reads captures: open them, follow every frame, let a
// Product be made of what is found, and finish. Everything that the commands share, except
// what they print.
#pragma once

#include "options.h"
#include "product/inspector.h"

namespace steertag::cli {

// Returns the exit status; throws Failure where a capture cannot be read.
int run(const ReadingOptions& options, const product::MakeProduct& make_product);

}  // namespace steertag::cli
