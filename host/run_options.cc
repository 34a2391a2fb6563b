#include "host/run_options.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace steertag::host {
namespace {

bool environment(const char* name, std::string_view unless) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return value != nullptr && *value != '\0' && (unless.empty() || value == unless);
}

}  // namespace

std::vector<std::string> RunOptions::outputs() const {
  std::vector<std::string> names = {output};
  for (const Report& report : reports) {
    if (report.format != kRing) {
      names.push_back(report.path);
    }
  }
  return names;
}

bool RunOptions::pages() const {
  return pager && !live && !captures.empty() &&
         std::find(captures.begin(), captures.end(), "-") == captures.end();
}

void show(Output& output, const RunOptions& options) {
  output.show(options.format == "text" ? Output::Form::text : Output::Form::other,
              options.pages() ? Output::Paging::wanted : Output::Paging::unwanted);
}

report::Palette RunOptions::palette(bool terminal) const {
  const bool automatic = terminal && !environment("NO_COLOR", "") && !environment("TERM", "dumb");
  return color == "always" || (color == "auto" && automatic) ? report::Palette::ansi()
                                                             : report::Palette::plain();
}

}  // namespace steertag::host
