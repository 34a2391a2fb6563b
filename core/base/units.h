// Numbers for people, each by one function: lengths of time and sizes with three significant digits and
// their unit, shares, moments. The page has the same (report/units.js), so that all print the same digits.
// What is cut is cut: whole microseconds are those that records have, and shorter lengths have no digit
// that theirs has not. From a millisecond on, and in sizes and shares, the last digit is rounded, half up.
// Every result has at most 18 characters, a date 26, whatever the number.
#pragma once

#include <cstdint>
#include <string>

namespace steertag::base {

std::string size_text(uint64_t bytes);   // "92", "4K", "97.7K", "1.5M": powers of 1024
std::string duration_text(int64_t ns);   // "999 ns", "31.8 us", "318 us", "1.24 ms", "60.1 s"
std::string percent_text(double share);  // "38 %"; of a share less than 0: "0 %"
std::string percent_text(uint64_t part, uint64_t whole);  // precondition: whole is not 0
std::string seconds_text(int64_t ns);                     // "0.012345": seconds with six decimals
std::string date_text(int64_t ns);  // "2026-11-23 15:04:05.012345", UTC; of ns since the epoch

}  // namespace steertag::base
