#include "stats/offset.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace steertag::stats {
namespace {

// Those that need no file, and those that need no more than what a server remembers of one.
constexpr std::array<std::string_view, 3> kWithoutFile = {"NULL", "SEQUENCE", "RENEW"};
constexpr std::array<std::string_view, 5> kLight = {"GETATTR", "ACCESS", "FSINFO", "FSSTAT", "PATHCONF"};

int weight(const Operation& operation) {
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), operation.op) != names.end();
  };
  return among(kWithoutFile) ? 0 : among(kLight) ? 1 : 2;
}

}  // namespace

std::optional<Offset> common_offset(std::span<const Topic* const> topics, const base::Address& server) {
  constexpr int kHeavy = 2;
  Offset offset{.ns = INT64_MAX};
  int lightest = kHeavy;
  for (const Topic* const topic : topics) {
    if (topic->callback || topic->server != server || !topic->operation.known() ||
        topic->responder.rpcs == 0) {
      continue;
    }
    ++offset.operations;
    offset.rpcs += topic->responder.rpcs;
    offset.sum_ns += topic->responder.sum_ns;
    offset.ns = std::min(offset.ns, topic->least_own_ns);
    if (const int of_this = weight(topic->operation); of_this < lightest) {
      lightest = of_this;
      offset.shown = topic;
    }
  }
  offset.without_file = lightest == 0;
  const bool enough =
      offset.operations >= kOffsetOperations && offset.rpcs >= kOffsetRpcs && lightest < kHeavy;
  const double in_common = static_cast<double>(offset.ns) * static_cast<double>(offset.rpcs);
  return enough && in_common >= kOffsetShare * static_cast<double>(offset.sum_ns) ? std::optional(offset)
                                                                                  : std::nullopt;
}

}  // namespace steertag::stats
