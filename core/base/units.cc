#include "base/units.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace steertag::base {
namespace {

// "9.87", "98.7", "987": so many thousandths, half up.
std::string three_digits(uint64_t thousandths) {
  const uint64_t hundredths = (thousandths + 5) / 10, tenths = (thousandths + 50) / 100;
  return hundredths < 1000 ? fmt::format("{}.{:02}", hundredths / 100, hundredths % 100)
         : tenths < 1000   ? fmt::format("{}.{}", tenths / 10, tenths % 10)
                           : fmt::format("{}", (thousandths + 500) / 1000);
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
  const auto tenths = static_cast<uint64_t>(value * 10 + 0.5);
  return fmt::format("{}.{}{}", tenths / 10, tenths % 10, units[unit]);
}

std::string duration_text(int64_t ns) {
  const uint64_t size = ns < 0 ? uint64_t{0} - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  const uint64_t us = size / 1000;
  const std::string_view sign = ns < 0 ? "-" : "";
  if (us == 0) {
    return fmt::format("{}{} ns", sign, size);
  }
  if (us < 1000) {
    const uint64_t told = us < 10 ? size - size % 10 : us < 100 ? size - size % 100 : us * 1000;
    return fmt::format("{}{} us", sign, three_digits(told));
  }
  return us < 999'500 ? fmt::format("{}{} ms", sign, three_digits(us))
                      : fmt::format("{}{} s", sign, three_digits(us / 1000));
}

std::string percent_text(double share) {
  return fmt::format("{} %", static_cast<uint64_t>(std::max(share, 0.0) * 100 + 0.5));
}

std::string percent_text(uint64_t part, uint64_t whole) {
  return percent_text(static_cast<double>(part) / static_cast<double>(whole));
}

std::string seconds_text(int64_t ns) {
  const uint64_t us = (ns < 0 ? uint64_t{0} - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns)) / 1000;
  return fmt::format("{}{}.{:06}", ns < 0 ? "-" : "", us / 1'000'000, us % 1'000'000);
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

}  // namespace steertag::base
