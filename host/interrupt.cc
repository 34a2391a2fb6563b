#include "host/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>

#include "host/last_line.h"
#include "host/target.h"

namespace steertag::host {
namespace {

volatile std::sig_atomic_t watched = 0;  // the next one is only noted
volatile std::sig_atomic_t signalled = 0;

volatile std::sig_atomic_t closed_first = -1;  // a descriptor
constinit std::atomic<int64_t> wished_ns = 0;  // when the first came, of those that are watched

// timeout(1) sends its signal twice, to the process and to the group that it is in.
bool is_same_wish() {
  constexpr int64_t kSecond = 1'000'000'000, kTogether = kSecond / 10;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t now_ns = now.tv_sec * kSecond + now.tv_nsec;
  if (watched != 0) {
    wished_ns = now_ns;
  }
  return now_ns - wished_ns < kTogether;
}

void on_signal(int /*signal*/) {
  if (!is_same_wish()) {
    LastLine("interrupted").end();
  }
  if (watched == 0) {
    return;
  }
  watched = 0;
  if (closed_first < 0) {
    signalled = 1;
    return;
  }
  const int error = errno;
  close(static_cast<int>(closed_first));
  closed_first = -1;
  errno = error;
}

// Somebody wants it to end as it stands, and may want to look into what is left of it.
void on_quit(int signal) {
  LastLine unsaid("");
  give_up_targets(unsaid);
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // once this handler has returned
}

}  // namespace

void end_on_interrupts() {
  struct sigaction action {};
  sigfillset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a read that waits ends
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGQUIT}) {
    action.sa_handler = signal == SIGQUIT ? on_quit : on_signal;
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal == SIGINT || signal == SIGTERM || before.sa_handler != SIG_IGN) {  // nohup wants one ignored
      sigaction(signal, &action, nullptr);
    }
  }
}

void watch_interrupts() {
  watched = 1;
}

void close_on_interrupt(int descriptor) {
  closed_first = descriptor;
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

}  // namespace steertag::host
