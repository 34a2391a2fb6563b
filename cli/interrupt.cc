#include "interrupt.h"

#include <csignal>

namespace steertag::cli {
namespace {
volatile std::sig_atomic_t signalled = 0;
}

void watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { signalled = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a read that waits ends
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return signalled != 0;
}

}  // namespace steertag::cli
