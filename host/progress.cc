#include "host/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>

#include "base/units.h"

namespace steertag::host {
namespace {

constexpr auto interval = std::chrono::milliseconds(150);
constexpr int width = 30;  // of the bar, in characters

constinit std::atomic<bool> standing = false;  // a bar on the terminal
constinit std::atomic<bool> silenced = false;

void put(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) == 1) {}

void Progress::show(uint64_t position, uint64_t size) {
  const Clock::time_point now = Clock::now();
  if (size == 0 || silenced || now - drawn_ < interval) {
    return;
  }
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  const double part = std::min(1.0, static_cast<double>(position) / static_cast<double>(size));
  const int filled = static_cast<int>(part * width);
  const double rate = static_cast<double>(position) / std::max(seconds, 1e-3);
  const std::string bar = fmt::format("\r\033[K{:3.0f}% [{:=<{}}{:{}}] {}/s", part * 100, "", filled, "",
                                      width - filled, base::size_text(static_cast<uint64_t>(rate)));
  standing = true;
  put(bar);
}

void Progress::hide() {
  clear();
}

void Progress::silence() {
  silenced = true;
}

void Progress::clear() noexcept {
  if (standing.exchange(false)) {
    put("\r\033[K");
  }
}

}  // namespace steertag::host
