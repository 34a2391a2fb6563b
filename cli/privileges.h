// Privileges: root's, or those of a program that was given some, given up for good. Whoever
// captures live needs them to open the interface and never again; whoever reads as root what
// only root may read needs none once it is open.
#pragma once

namespace steertag::cli {

// Where the process runs as root, it becomes the user who called it by sudo, or else nobody. False where the
// kernel refuses, as it does in a container that has no other users; then it is still root.
bool become_ordinary();

// What remains of root's capabilities, and of any others: none, or those to open, replace and
// remove files whoever owns them.
void keep_no_rights();
void keep_rights_over_files();

}  // namespace steertag::cli
