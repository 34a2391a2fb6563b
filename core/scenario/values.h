// Values of the scenario language: numbers, durations, byte strings. Each
// parser returns nothing where the text is not such a value, so that the caller
// can say in which term it stood.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace steertag::scenario {

// "96", "0x8f01", "64k" (units of 1024), "true", "false".
std::optional<uint64_t> parse_number(std::string_view text);

// "500ns", "10us", "5ms", "30s"; nanoseconds, at most an hour.
std::optional<int64_t> parse_duration(std::string_view text);

// "00ff7a", "0x00ff7a", "hex:00ff7a": an even number of hex digits.
std::optional<std::vector<uint8_t>> parse_octets(std::string_view text);

// "10.9.0.1" as four octets.
std::optional<uint32_t> parse_ipv4(std::string_view text);

// "3-6": an inclusive range with first <= last; also a single number.
struct NumberRange {
  uint32_t first = 0, last = 0;
};
std::optional<NumberRange> parse_range(std::string_view text);

}  // namespace steertag::scenario
