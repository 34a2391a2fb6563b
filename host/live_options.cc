#include "host/live_options.h"

#include <fmt/core.h>

#include <string_view>

#include "product/settings.h"

namespace steertag::host {
namespace {

std::string any_of(std::string_view what, const std::vector<uint16_t>& ports) {
  std::string all;
  for (const uint16_t port : ports) {
    all += fmt::format("{}{} port {}", all.empty() ? "" : " or ", what, port);
  }
  return all;
}

}  // namespace

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
