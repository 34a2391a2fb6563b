#include "report/units.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace steertag::report {
namespace {

// "9.87", "98.7", "987".
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string size_text(uint64_t bytes) {
  constexpr std::array<std::string_view, 7> units = {"", "K", "M", "G", "T", "P", "E"};
  size_t unit = 0;
  uint64_t whole = bytes;
  while (whole >= 1024 && whole % 1024 == 0) {
    whole /= 1024;
    ++unit;
  }
  if (whole < 1024) {
    return fmt::format("{}{}", whole, units[unit]);
  }
  unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1023.95 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f}{}", value, units[unit]);
}

std::string duration_text(int64_t ns) {
  const bool negative = ns < 0;
  const double size = negative ? -static_cast<double>(ns) : static_cast<double>(ns);
  const std::string_view sign = negative ? "-" : "";
  if (size < 1e3) {
    return fmt::format("{}{:.0f} ns", sign, size);
  }
  if (size < 999.5e3) {
    return fmt::format("{}{} us", sign, three_digits(size / 1e3));
  }
  if (size < 999.5e6) {
    return fmt::format("{}{} ms", sign, three_digits(size / 1e6));
  }
  return fmt::format("{}{} s", sign, three_digits(size / 1e9));
}

std::string seconds_text(int64_t ns) {
  return fmt::format("{:.6f}", static_cast<double>(ns) / 1e9);
}

// By the Gregorian calendar, whose 400 years have 146,097 days; years begin in March here, so that a leap
// day ends one.
std::string date_text(int64_t ns) {
  constexpr int64_t kDay = 86'400'000'000;
  const int64_t us = ns / 1000;
  const int64_t days = us / kDay + 719'468;  // since the first of March of the year 0
  const int64_t era = days / 146'097;
  const int64_t day_of_era = days % 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;  // from March
  const int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
  const int64_t year = era * 400 + year_of_era + (month >= 10 ? 1 : 0);
  const int64_t second = us % kDay / 1'000'000;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}", year, month < 10 ? month + 3 : month - 9,
                     day, second / 3600, second / 60 % 60, second % 60, us % 1'000'000);
}

}  // namespace steertag::report
