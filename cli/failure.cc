#include "failure.h"

#include <unistd.h>

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
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace steertag::cli
