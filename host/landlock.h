// Landlock: the kernel's list of the files and ports that this thread, and those that it
// starts later, may still reach. What is open already stays as it is. Best effort: an older
// kernel has a shorter list of what can be refused, or none.
#pragma once

namespace steertag::host {

struct Needs;

// Nothing but what is needed can be opened, made, renamed, removed or connected to. Returns the version of
// the interface by which that is in force, or 0.
int restrict_paths(const Needs& needs);

}  // namespace steertag::host
