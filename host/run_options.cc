#include "host/run_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "product/settings.h"

namespace steertag::host {
namespace {

bool environment(const char* name, std::string_view unless) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return value != nullptr && *value != '\0' && (unless.empty() || value == unless);
}

std::string any_of(std::string_view what, const std::vector<uint16_t>& ports) {
  std::string all;
  for (const uint16_t port : ports) {
    all += fmt::format("{}{} port {}", all.empty() ? "" : " or ", what, port);
  }
  return all;
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

std::vector<std::string> capture_filters(const product::Settings& settings) {
  const Options analyzer = settings.analyzer();
  const std::string plain = any_of("udp", analyzer.roce_ports) + " or " +
                            any_of("tcp", analyzer.rpcrdma_ports) +
                            " or ip[6:2] & 0x1fff != 0 or ip6 proto 44";
  const std::string ethernet = "ether proto 0x8915 or ether proto 0x8808 or " + plain;
  // Each `vlan` moves all that comes behind it by a tag.
  return {fmt::format("{0} or (vlan and ({0} or (vlan and ({0}))))", ethernet), ethernet, plain, ""};
}

}  // namespace steertag::host
