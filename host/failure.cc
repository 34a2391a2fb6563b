#include "host/failure.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/utf8.h"

namespace steertag::host {

std::string reason(int error) {
  return error == ECHILD ? "the process that makes and names files has ended"  // clerk.h
                         : std::strerror(error);  // NOLINT(concurrency-mt-unsafe)
}

std::string shown(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

namespace {

struct Unsaid {
  bool holding = false;
  std::string lines;
};
Unsaid& unsaid() {
  static Unsaid unsaid;
  return unsaid;
}

void put_complaint(std::string_view line) {
  for (size_t done = 0; done < line.size();) {
    const ssize_t count = write(STDERR_FILENO, line.data() + done, line.size() - done);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return;  // nobody to tell
    }
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
}

// Without its middle where it is longer than anybody reads: what is wrong is said first, what to do last.
std::string in_brief(std::string line) {
  constexpr size_t kEnd = 2000;  // bytes of either end
  if (line.size() > 2 * kEnd) {
    size_t begin = kEnd, end = line.size() - kEnd;
    while (begin > 0 && base::within_character(line, begin)) {
      --begin;
    }
    while (end < line.size() && base::within_character(line, end)) {
      ++end;
    }
    line.replace(begin, end - begin, " ... ");
  }
  return line;
}

}  // namespace

void complain(const std::string& message) {
  const std::string line = in_brief(base::printable("steertag: " + message)) + '\n';
  if (unsaid().holding) {
    unsaid().lines += line;
  } else {
    put_complaint(line);
  }
}

void hold_complaints() {
  unsaid().holding = true;
}

void release_complaints() noexcept {
  unsaid().holding = false;
  put_complaint(unsaid().lines);
  unsaid().lines.clear();
}

}  // namespace steertag::host
