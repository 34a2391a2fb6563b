// Privileges: root's, or those of a program that was given some, given up for good. Whoever
// captures live needs them to open the interface and never again; whoever reads as root what
// only root may read needs none once it is open. Also what the kernel is asked to refuse from then on,
// as far as it can: files and ports (Landlock), and system calls (seccomp). For sandbox.cc alone.
#pragma once

#include <span>

namespace steertag::host {

struct Needs;

// Where the process runs as root, it becomes the user who called it by sudo, or else nobody. False where the
// kernel refuses, as it does in a container that has no other users; then it is still root.
bool become_ordinary();

// Where it runs as root, it becomes the owner of these folders, who may do there what it likes. False where
// that is not one user, or one who may not write there; then it is still root.
bool become_owner(std::span<const int> folders);

// What remains of root's capabilities, and of any others: none, or those to read files whoever owns them, or
// to replace and remove them, too.
void keep_no_rights();
void keep_rights_to_read();
void keep_rights_over_files();

// Nothing but what is needed can be opened, made, renamed, removed or connected to, by this thread and those
// that it starts later; what is open stays as it is. Returns the version of the interface by which that is in
// force, or 0: an older kernel has a shorter list of what can be refused, or none (landlock.cc).
int restrict_paths(const Needs& needs);

// All threads can still read what is open, compute, and write; everything else the kernel answers itself, or
// it ends the process. To be called once no_new_privs is set. False where the kernel has no such filters: it
// needs Linux 4.17 (system_calls.cc).
bool restrict_system_calls(const Needs& needs);

}  // namespace steertag::host
