// The Fault of a library that is preloaded into a program, and so is called before it is initialised:
// until then no call is to fail.
#pragma once

#include "fault.h"

namespace fault {

// Null until then.
inline constinit Fault* chosen = nullptr;

struct Choose {
  Choose() {
    static Fault fault;
    chosen = &fault;
  }
};
inline const Choose choose;

inline bool now() {
  return chosen != nullptr && chosen->now();
}

}  // namespace fault
