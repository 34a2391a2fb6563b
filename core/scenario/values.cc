#include "scenario/values.h"

#include <algorithm>
#include <charconv>

namespace steertag::scenario {
namespace {

std::optional<uint64_t> digits(std::string_view text, int base) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  if (text.empty() || result.ec != std::errc() || result.ptr != end) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text) {
  if (text == "true" || text == "TRUE") {
    return 1;
  }
  if (text == "false" || text == "FALSE") {
    return 0;
  }
  if (text.starts_with("0x")) {
    return digits(text.substr(2), 16);
  }
  if (!text.empty() && text.back() == 'k') {
    const auto units = digits(text.substr(0, text.size() - 1), 10);
    return units && *units <= UINT64_MAX / 1024 ? std::optional(*units * 1024) : std::nullopt;
  }
  return digits(text, 10);
}

std::optional<int64_t> parse_duration(std::string_view text) {
  constexpr int64_t kHour = 3600'000'000'000;
  struct Unit {
    std::string_view name;
    int64_t ns;
  };
  for (const Unit& unit : {Unit{"ns", 1}, Unit{"us", 1000}, Unit{"ms", 1000'000}, Unit{"s", 1000'000'000}}) {
    if (!text.ends_with(unit.name)) {
      continue;
    }
    const auto count = digits(text.substr(0, text.size() - unit.name.size()), 10);
    if (count && *count <= static_cast<uint64_t>(kHour / unit.ns)) {
      return static_cast<int64_t>(*count) * unit.ns;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<uint8_t>> parse_octets(std::string_view text) {
  for (const std::string_view prefix : {"0x", "hex:"}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  if (text.size() % 2 != 0) {
    return std::nullopt;
  }
  std::vector<uint8_t> octets;
  for (size_t i = 0; i < text.size(); i += 2) {
    const auto octet = digits(text.substr(i, 2), 16);
    if (!octet) {
      return std::nullopt;
    }
    octets.push_back(static_cast<uint8_t>(*octet));
  }
  return octets;
}

std::optional<uint32_t> parse_ipv4(std::string_view text) {
  uint32_t address = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string_view part = text.substr(0, i < 3 ? text.find('.') : text.npos);
    const auto octet = digits(part, 10);
    if (!octet || *octet > 255 || (i < 3 && part.size() == text.size())) {
      return std::nullopt;
    }
    address = address << 8 | static_cast<uint32_t>(*octet);
    text.remove_prefix(std::min(text.size(), part.size() + 1));
  }
  return address;
}

std::optional<NumberRange> parse_range(std::string_view text) {
  const size_t dash = text.find('-');
  const auto first = parse_number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : parse_number(text.substr(dash + 1));
  if (!first || !last || *first > *last || *last > UINT32_MAX) {
    return std::nullopt;
  }
  return NumberRange{static_cast<uint32_t>(*first), static_cast<uint32_t>(*last)};
}

}  // namespace steertag::scenario
