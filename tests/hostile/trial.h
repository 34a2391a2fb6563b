// Trial: one mutant through one Command, in as many runs as that takes.
#pragma once

#include <string>

#include "commands.h"
#include "damage.h"
#include "run.h"

namespace steertag::hostile {

struct Verdict {
  std::string wrong;  // empty: nothing
  int status = 0;     // of the run that reads the whole
  double seconds = 0;
  int runs = 0;
};

// The Runner's folder holds the mutant as `capture`, and what it was made of as `other`.
inline constexpr const char* kCapture = "capture";
inline constexpr const char* kOther = "other";

Verdict attempt(const Runner& runner, const Command& command, size_t size);

}  // namespace steertag::hostile
