// SPDX-License-Identifier: GPL-2.0-or-later
#include "fence.h"

#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <new>
#include <thread>

namespace steertag::plugin::fence {
namespace {

// The handler is the whole process's. What other threads ask for in the meantime is none of our business.
std::atomic<std::thread::id> inside;
std::atomic<std::new_handler> before;
sigjmp_buf way_out;

void leave() {
  if (inside.load() == std::this_thread::get_id()) {
    siglongjmp(way_out, 1);
  }
  const std::new_handler handler = before;
  if (handler == nullptr) {
    throw std::bad_alloc();
  }
  handler();
}

void thrown(Exit& exit, const char* what) {
  exit.how = Exit::How::thrown;
  snprintf(exit.what, sizeof exit.what, "%s", what);
}

// The longjmp passes over destructors, which C++ leaves undefined; here it means that they do not run.
// Wireshark itself relies on that, and an exception would run them, and end the process at the first
// noexcept.
void enter(void (*work)(void*), void* argument, Exit& exit) {
  if (sigsetjmp(way_out, 0) != 0) {
    exit.how = Exit::How::out_of_memory;
    return;
  }
  try {
    work(argument);
  } catch (const std::bad_alloc&) {  // more than there can be: nobody asks the handler about that
    exit.how = Exit::How::out_of_memory;
  } catch (const std::exception& error) {
    thrown(exit, error.what());
  } catch (...) {
    thrown(exit, "unknown exception");
  }
}

}  // namespace

Exit run(void (*work)(void*), void* argument) noexcept {
  Exit exit;
  inside = std::this_thread::get_id();
  before = std::get_new_handler();
  std::set_new_handler(leave);
  enter(work, argument, exit);
  std::set_new_handler(before);
  inside = std::thread::id();
  return exit;
}

}  // namespace steertag::plugin::fence
