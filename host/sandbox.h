// The sandbox: what is left of the process's rights once its files are open. Captures are
// hostile input; should a mistake in a decoder ever let one run code, that code finds no
// file, no network, no other process and no program within reach; what -o and --ring take is done by a
// process of its own (clerk.h). SECURITY.md has the whole picture.
//
// Entered once, by each command that reads something: when all files are open, before the
// first byte of input is read, and before there is a second thread.
#pragma once

#include <string>
#include <vector>

namespace steertag::host {

struct Series;

// What has to be possible afterwards, besides reading and writing what is open.
struct Needs {
  std::vector<std::string> read_again = {};  // files that are opened again, by their names
  std::vector<int> folders = {};             // descriptors of those in which a file gets its name
  Series* series = nullptr;                  // of which new ones are made
  bool pager = false;                        // its process, made before, is waited for
  bool captures = false;                     // at an interface that is open
};

// What is in force. The kernel may have less to offer, or refuse it; then there is less.
struct Sandbox {
  int landlock = 0;  // the version of its interface; 0: none
  bool filter = false;

  std::string text() const;  // one line: "Landlock 7, system call filter"
};

Sandbox enter_sandbox(const Needs& needs);  // throws Failure

}  // namespace steertag::host
