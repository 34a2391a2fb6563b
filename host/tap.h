// Tap: a process of its own that captures at an interface and writes a pcapng into a pipe, which is read as
// any other. It is made before the sandbox is entered and before there is a second thread, opens the
// interface, and gives up all rights before it takes the first frame (tap_process.h); so whoever follows the
// frames never has any. What the kernel has to drop, since nobody came for it in time, the pcapng says.
//
// It ends, in order, when it is asked to: by the first signal (interrupt.h), --duration or --count.
#pragma once

#include <string>

#include "host/run_options.h"

namespace steertag::host {

class Tap {
 public:
  // Waits until the interface is open. Throws Failure where that is not possible.
  explicit Tap(const RunOptions& options);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  // Where its frames are read from; whoever takes it, closes it.
  int take_frames();
  // Once there are no more frames: why they ended where nobody asked for it. Empty where it ended in order.
  std::string trouble();

 private:
  std::string hear();  // what it says next; empty where it says nothing any more

  std::string interface_;
  int frames_ = -1, words_ = -1;
};

}  // namespace steertag::host
