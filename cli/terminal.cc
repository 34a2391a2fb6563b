#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace steertag::cli {

unsigned terminal_width() {
  unsigned columns = 0;
  if (const char* said = std::getenv("COLUMNS")) {
    const std::string_view text(said);
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  winsize size{};
  if (columns == 0 && isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    columns = size.ws_col;
  }
  return columns;
}

}  // namespace steertag::cli
