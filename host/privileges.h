// Privileges: root's, or those of a program that was given some, given up for good. Whoever
// captures live needs them to open the interface and never again; whoever reads as root what
// only root may read needs none once it is open.
#pragma once

#include <span>

namespace steertag::host {

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

}  // namespace steertag::host
