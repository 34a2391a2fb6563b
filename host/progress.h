// Progress: one line on standard error that shows how far reading has got, redrawn
// a few times a second. Only where standard error is a terminal and the end is
// known; otherwise it does nothing and costs nothing. One a process is at work at a
// time.
#pragma once

#include <chrono>
#include <cstdint>

namespace steertag::host {

class Progress {
 public:
  explicit Progress(bool wanted);  // before the sandbox, in which nobody knows a terminal
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin() { drawn_ = began_ = Clock::now(); }
  bool wanted() const { return wanted_; }  // otherwise show() is not to be called
  // Whether it is time to call show(): cheap enough for every frame.
  bool due() { return wanted_ && (++calls_ & 0xFFF) == 0; }
  void show(uint64_t position, uint64_t size);  // bytes read, bytes in all
  void hide();
  static void silence();  // none from here on: the terminal is a pager's
  static void
  clear() noexcept;  // what stands there; by who ends the process at once, also in a signal handler

 private:
  using Clock = std::chrono::steady_clock;

  bool wanted_;
  uint32_t calls_ = 0;
  Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
};

}  // namespace steertag::host
