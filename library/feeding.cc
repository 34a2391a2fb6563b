#include "library/feeding.h"

#include <fmt/core.h>

#include <algorithm>

#include "capture/reader.h"
#include "rules/catalog.h"

namespace steertag::library {

Frame engine_frame(const v0::Frame& frame, uint64_t number) {
  constexpr int64_t kSecond = 1'000'000'000;
  const size_t size = std::min<size_t>(frame.bytes.size(), capture::kMaxFrame);
  const int64_t time_ns = std::max<int64_t>(frame.time_ns, 0);
  Frame made;
  made.at = {.number = number,
             .tap = Stamp::tap_of(0, frame.interface),
             .time_ns = nanoseconds(time_ns / kSecond, time_ns % kSecond)};
  made.link_type = frame.link_type;
  made.bytes = frame.bytes.first(size);
  made.original_length = std::max(frame.original_length, static_cast<uint32_t>(size));
  made.dropped = frame.dropped;
  return made;
}

product::Settings reading_of(const v0::Settings& settings) {
  product::Settings made;
  made.ports = settings.ports;
  made.udp_ports = settings.udp_ports;
  made.vxlan_ports = settings.vxlan_ports;
  made.geneve_ports = settings.geneve_ports;
  made.checksums = settings.checksums;
  made.memory = settings.memory;
  return made;
}

product::Policy policy_of(const v0::Settings& settings, std::string& error) {
  product::Policy policy;
  policy.select = settings.select;
  policy.ignore = settings.ignore;
  policy.require = settings.require;
  for (const auto* words : {&policy.select, &policy.ignore, &policy.require}) {
    for (const std::string& word : *words) {
      if (!rules::known(word) && error.empty()) {
        error = fmt::format("{}: no such rule or family", word);
      }
    }
  }
  policy.profile = settings.profile == v0::Profile::strict    ? "strict"
                   : settings.profile == v0::Profile::rfc5666 ? "rfc5666"
                                                              : "deployed";
  policy.fail_on = settings.fail_on ? std::string(name(*settings.fail_on)) : "never";
  policy.strict = settings.count_possible;
  return policy;
}

}  // namespace steertag::library
