#include "failure.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace steertag::cli {

std::string reason(int error) {
  return std::strerror(error);
}  // NOLINT(concurrency-mt-unsafe)

std::string shown(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

void complain(const std::string& message) {
  const std::string line = base::printable("steertag: " + message) + '\n';
  for (size_t done = 0; done < line.size();) {
    const ssize_t count = write(STDERR_FILENO, line.data() + done, line.size() - done);
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return;  // nobody to tell
    }
    done += count > 0 ? static_cast<size_t>(count) : 0;
  }
}

}  // namespace steertag::cli
