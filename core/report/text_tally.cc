#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/counted.h"
#include "report/finding.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

constexpr std::array<std::string_view, 4> kTallied = {"checked", "kept", "broken", "undecided"};

std::array<uint64_t, 4> tallied(const rules::Tally& tally) {
  return {tally.checked(), tally.kept, tally.broken, tally.undecided};
}

// Of each column of numbers, with the blanks before it: less where there is little room for the requirements.
std::array<size_t, 4> tally_widths(std::span<const rules::Tally> tallies, const TextStyle& style) {
  constexpr unsigned kRoomy = 120;
  constexpr size_t kUsual = 10;
  const bool roomy = style.width == 0 || style.width >= kRoomy;
  std::array<size_t, 4> widths{};
  for (size_t i = 0; i < widths.size(); ++i) {
    widths[i] = roomy ? kUsual : kTallied[i].size() + 2;
    for (const rules::Tally& tally : tallies) {
      widths[i] = std::max(widths[i], std::to_string(tallied(tally)[i]).size() + 2);
    }
  }
  return widths;
}

}  // namespace

void text_tallies(Buffer& out, std::span<const rules::Tally> tallies, Idle idle, const TextStyle& style) {
  const std::array<size_t, 4> widths = tally_widths(tallies, style);
  std::string heading = fmt::format("{:<8}", "rule");
  for (size_t i = 0; i < widths.size(); ++i) {
    heading += fmt::format("{:>{}}", kTallied[i], widths[i]);
  }
  const size_t column = heading.size() + 2;
  paint(out, style.palette, style.palette.title, heading + "  requirement");
  put(out, '\n');
  size_t left_out = 0;
  for (size_t i = 0; i < tallies.size(); ++i) {
    const rules::Rule& rule = *rules::catalog()[i];
    if (idle == Idle::counted && tallies[i].checked() == 0) {
      ++left_out;
      continue;
    }
    hang(out, style, column);
    print(out, "{:<8}", rule.id);
    for (size_t place = 0; place < widths.size(); ++place) {
      print(out, "{:>{}}", tallied(tallies[i])[place], widths[place]);
    }
    print(out, "  {}\n", rules::page(rule).requirement);
  }
  if (left_out != 0) {
    put_wrapped(out, "",
                fmt::format("{} of {} rules had nothing to check; --tally-all shows them, too", left_out,
                            tallies.size()),
                style.width == 0 ? SIZE_MAX : style.width);
  }
}

}  // namespace steertag::report
