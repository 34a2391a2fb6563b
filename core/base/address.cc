#include "base/address.h"

#include <fmt/core.h>

namespace steertag::base {
namespace {

constexpr std::array<uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

std::string dotted(const uint8_t* four) {
  return fmt::format("{}.{}.{}.{}", four[0], four[1], four[2], four[3]);
}

struct Run {
  int begin = 0;
  int length = 0;
};

// RFC 5952 §4.2: the longest run of zero groups, the first of several, and
// never a single group.
Run longest_zero_run(const std::array<uint16_t, 8>& groups) {
  Run best;
  for (int i = 0; i < 8;) {
    int end = i;
    while (end < 8 && groups[end] == 0) {
      ++end;
    }
    if (end - i > best.length) {
      best = Run{i, end - i};
    }
    i = end + 1;
  }
  return best.length >= 2 ? best : Run{8, 0};
}

std::string ipv6_text(const std::array<uint8_t, 16>& octets) {
  // RFC 5952 §5: a mapped IPv4 address keeps its dotted form.
  if (std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), octets.begin())) {
    return "::ffff:" + dotted(&octets[12]);
  }
  std::array<uint16_t, 8> groups{};
  for (size_t i = 0; i < 8; ++i) {
    groups[i] = static_cast<uint16_t>(octets[2 * i] << 8 | octets[2 * i + 1]);
  }
  const Run zeros = longest_zero_run(groups);
  std::string text;
  for (int i = 0; i < 8; ++i) {
    if (i == zeros.begin) {
      text += "::";
      i += zeros.length - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') {
      text += ':';
    }
    text += fmt::format("{:x}", groups[i]);
  }
  return text;
}

}  // namespace

Address Address::lid(uint16_t lid) {
  Address address;
  address.kind = Kind::lid;
  address.octets[14] = static_cast<uint8_t>(lid >> 8);
  address.octets[15] = static_cast<uint8_t>(lid);
  return address;
}

std::string Address::text() const {
  switch (kind) {
    case Kind::none:
      return "";
    case Kind::ipv4:
      return dotted(&octets[12]);
    case Kind::ipv6:
    case Kind::gid:
      return ipv6_text(octets);
    case Kind::lid:
      return fmt::format("lid:{}", octets[14] << 8 | octets[15]);
  }
  return "";
}

}  // namespace steertag::base
