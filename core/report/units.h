// Numbers for people: sizes in bytes and lengths of time with about three
// significant digits, and their unit. Programs read the exact ones in JSON.
// Every result has at most 18 characters, a date 26, whatever the number.
#pragma once

#include <cstdint>
#include <string>

namespace steertag::report {

std::string size_text(uint64_t bytes);  // "92", "4K", "97.7K", "1.5M": powers of 1024
std::string duration_text(int64_t ns);  // "999 ns", "31.8 us", "318 us", "1.24 ms", "60.1 s"
std::string seconds_text(int64_t ns);   // "0.012345": seconds with six decimals
std::string date_text(int64_t ns);      // "2026-11-23 15:04:05.012345", UTC; of ns since the epoch

}  // namespace steertag::report
