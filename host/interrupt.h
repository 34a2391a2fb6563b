// interrupted(): whether somebody has pressed Ctrl-C, hung up, or asked the program to end
// otherwise. What was read until then still gets its end: the RPCs that are open,
// the summary, the tally. A second request ends the program at once, unless it comes within a
// tenth of a second, which nobody meant; so does the first where nobody watches. Ending at once leaves a
// result that would replace a file unwritten. More computing time than is allowed (SIGXCPU) is such a
// request. SIGQUIT ends the program as it does any other, but the file that would have become the result goes
// first.
#pragma once

#include <csignal>

namespace steertag::host {

void end_on_interrupts();  // SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGQUIT, from now on
void watch_interrupts();   // the first of them, from now on
bool interrupted();
// The first of them is no interruption, but closes this descriptor: whoever captures at its other end ends,
// and all that was captured is read.
void close_on_interrupt(int descriptor);

// No signal reaches this thread while there is one of these, nor those that it starts.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace steertag::host
