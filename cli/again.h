// What a command asks of its captures that reads them more than once: to be files. Throws Failure, in the
// command's name.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "trace.h"

namespace steertag::cli {

// Before anything is opened.
inline void refuse_standard_input(const std::vector<std::string>& captures, std::string_view command) {
  if (std::find(captures.begin(), captures.end(), "-") != captures.end()) {
    throw Failure("standard input: can be read only once, and " + std::string(command) +
                  " reads captures several times");
  }
}

inline void refuse_pipes(const Trace& trace, std::string_view command) {
  if (!trace.regular()) {
    throw Failure(std::string(command) + " reads captures several times: they have to be files");
  }
}

}  // namespace steertag::cli
