// Fault: which call of those that a preloaded library stands in for is to fail, and how. STEERTAG_FAULT says
// so: "17" is the 17th, "17+" that one and all after it, "17:EIO" the 17th with that errno, "17:short" with
// less than was asked for, "17+:nothing" with nothing at all, without an error. Where STEERTAG_FAULT_COUNT
// names a file, the number of calls is written there at the end.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fault {

class Fault {
 public:
  Fault() {
    if (const char* text = getenv("STEERTAG_FAULT")) {
      char* rest = nullptr;
      first_ = strtoull(text, &rest, 10);
      lasting_ = *rest == '+';
      rest += lasting_ ? 1 : 0;
      const char* how = *rest == ':' ? rest + 1 : "";
      short_ = strcmp(how, "short") == 0;
      nothing_ = strcmp(how, "nothing") == 0;
      error_ = strcmp(how, "ENOSPC") == 0 ? ENOSPC : strcmp(how, "EINTR") == 0 ? EINTR : EIO;
    }
    if (const char* file = getenv("STEERTAG_FAULT_COUNT")) {
      count_to_ = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);  // later the sandbox refuses it
    }
    ready_ = true;
  }
  ~Fault() {
    const uint64_t calls = calls_;
    ready_ = false;
    if (count_to_ >= 0) {
      dprintf(count_to_, "%llu\n", static_cast<unsigned long long>(calls));
    }
  }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  // Whether this call is the one. Before the library is initialised, and after, none is.
  bool now() {
    if (!ready_) {
      return false;
    }
    const uint64_t call = ++calls_;
    return first_ != 0 && (call == first_ || (lasting_ && call > first_));
  }
  bool is_short() const { return short_; }
  bool is_nothing() const { return nothing_; }
  int error() const { return error_; }

 private:
  std::atomic<bool> ready_ = false;
  std::atomic<uint64_t> calls_ = 0;
  uint64_t first_ = 0;
  bool lasting_ = false, short_ = false, nothing_ = false;
  int error_ = EIO;
  int count_to_ = -1;
};

}  // namespace fault
