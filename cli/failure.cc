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

std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      c = '?';
    }
  }
  return text;
}

void complain(const std::string& message) {
  const std::string line = printable("steertag: " + message) + '\n';
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace steertag::cli
