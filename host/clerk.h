// Clerk: a process of its own that makes, names and removes the files of Targets (target.h), once this one
// may no longer do so: whoever reads captures then has no right over any file, and root has not to stay root
// for the sake of -o. It is forked when the sandbox is entered, so that it knows the Targets that there are,
// and is asked by their numbers alone: it never sees a byte of a capture, nor a name that was made up later.
//
// Once nobody can ask any more, however that came about, it removes what was not kept, and ends.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace steertag::host {

struct Errand {
  enum class Kind : uint8_t { make, keep, remove };
  Kind kind = Kind::make;
  uint64_t target = 0;  // its number
};

struct Done {
  int error = 0;        // errno
  uint64_t value = 0;   // the number of the Target that was made, or of the name that one got
  int descriptor = -1;  // of what was made: whoever gets it, closes it
};

// Forks. True in the new process, where nothing but these descriptors is open then. Throws Failure.
bool engage_clerk(std::span<const int> kept);
// What the new process does.
[[noreturn]] void serve(const std::function<Done(const Errand&)>& run, void (*over)());

bool clerk_engaged();
Done ask_clerk(const Errand& errand);  // from any thread
// For whoever ends the process: waits until what was not kept is gone, and the clerk with it. Allocates
// nothing.
void dismiss_clerk() noexcept;

}  // namespace steertag::host
