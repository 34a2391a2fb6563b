// Fault: which call of those that a preloaded library stands in for is to fail, and how. STEERTAG_FAULT says
// so: "17" is the 17th, "17+" that one and all after it, "17:EIO" the 17th with that errno, "17:short" with
// less than was asked for, "17+:nothing" with nothing at all, without an error. Where STEERTAG_FAULT_COUNT
// names a file, the number of calls is written there at the end.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
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
      count_to_ = mapped(file);
    }
    ready_ = true;
  }
  ~Fault() {
    const uint64_t calls = calls_;
    ready_ = false;
    if (count_to_ != nullptr) {
      char text[kDigits + 1];
      snprintf(text, sizeof text, "%*llu", static_cast<int>(kDigits), static_cast<unsigned long long>(calls));
      memcpy(count_to_, text, kDigits);
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
  static constexpr size_t kDigits = 20;  // of any number of calls

  // The file in memory, opened before the sandbox refuses that; its descriptor would be closed there.
  static char* mapped(const char* path) {
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    void* at = MAP_FAILED;
    if (file >= 0 && ftruncate(file, kDigits) == 0) {
      at = mmap(nullptr, kDigits, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (file >= 0) {
      close(file);
    }
    return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
  }

  std::atomic<bool> ready_ = false;
  std::atomic<uint64_t> calls_ = 0;
  uint64_t first_ = 0;
  bool lasting_ = false, short_ = false, nothing_ = false;
  int error_ = EIO;
  char* count_to_ = nullptr;
};

}  // namespace fault
