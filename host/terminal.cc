#include "host/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/fold_case.h"

namespace steertag::host {

Screen terminal_screen() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) {
    return {};
  }
  return {.rows = size.ws_row, .columns = size.ws_col};
}

unsigned terminal_width() {
  unsigned columns = 0;
  if (const char* said = std::getenv("COLUMNS")) {
    const std::string_view text(said);
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  return columns != 0 ? columns : terminal_screen().columns;
}

bool utf8_locale() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* said = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
    if (said != nullptr && *said != '\0') {
      locale = said;
      break;
    }
  }
  std::transform(locale.begin(), locale.end(), locale.begin(), base::lower);
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace steertag::host
