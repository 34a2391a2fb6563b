// Pager: what git would show in a pager is shown in one here, too: what is more than the screen has lines
// for, where standard output is the terminal of somebody who waits for it. $STEERTAG_PAGER, else $PAGER, else
// less.
//
// Nothing can be started in the sandbox, so that the pager's process is made before: it waits for the first
// byte, and is run then, or goes away with none. Until the screen is full, Output keeps what it has.
// It outlives what it shows: whoever destroys this waits for it.
#pragma once

#include <cstddef>
#include <string_view>

namespace steertag::host {

class Pager {
 public:
  // What is started, by the environment; empty: nothing. Complains where that is not there.
  static std::string_view command();

  Pager() = default;
  ~Pager() { leave(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // Makes its process, for standard output; before the sandbox, and before there is a second thread. Where
  // that is not possible, there is none.
  void prepare();
  bool waits() const { return pipe_ >= 0 && !runs_; }  // nothing was shown yet
  // Of what is to be shown, these lines come next: whether all is still no more than the screen has.
  bool fits(std::string_view lines);
  // From here on all is written to the descriptor that is returned, and nothing else to the terminal.
  int start();
  // All was written; or nothing was, and is not going to be. Waits until it is no more.
  void leave() noexcept;

  // For whoever ends the process at once: leave() of the one that there is, if any. Allocates nothing.
  static void leave_now() noexcept;

 private:
  int pipe_ = -1;
  int process_ = -1;
  bool runs_ = false;
  bool complaints_ = false;        // go to the terminal, too
  size_t rows_ = 0, columns_ = 0;  // of the screen
  size_t filled_ = 0;              // rows of it
};

}  // namespace steertag::host
