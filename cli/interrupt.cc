#include "interrupt.h"

#include <pthread.h>

#include "last_line.h"

namespace steertag::cli {
namespace {

volatile std::sig_atomic_t watched = 0;  // the next one is only noted
volatile std::sig_atomic_t signalled = 0;

void on_signal(int /*signal*/) {
  if (watched == 0) {
    LastLine("interrupted").end();
  }
  watched = 0;
  signalled = 1;
}

}  // namespace

void end_on_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a read that waits ends
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) {  // nohup wants it ignored
      sigaction(signal, &action, nullptr);
    }
  }
}

void watch_interrupts() {
  watched = 1;
}

bool interrupted() {
  return signalled != 0;
}

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace steertag::cli
