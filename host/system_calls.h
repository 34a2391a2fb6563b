// The system calls that the process can still make, in all of its threads: those that
// reading what is open, computing, and writing take. Everything else the kernel answers itself,
// or ends the process (seccomp).
#pragma once

namespace steertag::host {

struct Needs;

// To be called once no_new_privs is set. False where the kernel has no such filters: it needs Linux 4.17.
bool restrict_system_calls(const Needs& needs);

}  // namespace steertag::host
