// What the tap's process does (tap.h): it opens an interface by libpcap, gives up every right, says that it
// is ready, and writes what comes as a pcapng. It returns never.
//
// What is behind its reader waits in the kernel's ring; what that has no room for is dropped, and counted.
// The number is in front of the first frame that came after it: while the ring is full nothing is taken, so
// that this is the first that has a time behind that at which room was made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/run_options.h"

namespace steertag::host {

struct TapSettings {
  LiveOptions live;
  std::vector<std::string> filters;  // the first that fits is used
};

// Descriptors: where frames and words go, a line at a time; and one that is closed at the other end when the
// capture is to end.
struct TapEnds {
  int frames = -1, words = -1, leash = -1;
};

// What it says; anything else is why it cannot go on.
constexpr std::string_view kTapReady = "ready", kTapDone = "done";

[[noreturn]] void run_tap(const TapSettings& settings, const TapEnds& ends);

}  // namespace steertag::host
