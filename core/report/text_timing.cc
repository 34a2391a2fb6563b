#include "report/text_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/units.h"
#include "report/text_parts.h"

namespace steertag::report {
namespace {

using flow::Exchange;
using flow::kPhases;

constexpr size_t kBar = 40;                        // columns
constexpr size_t kParts = kPhases + 1;             // what came before the last attempt, and its phases
constexpr std::string_view kLetters = "ecsR.Wfr";  // by part
static_assert(kLetters.size() == kParts);

std::array<int64_t, kParts> parts_of(const flow::Timing& timing) {
  std::array<int64_t, kParts> parts{flow::earlier_ns(timing)};
  std::copy(timing.phases_ns.begin(), timing.phases_ns.end(), parts.begin() + 1);
  return parts;
}

// How many of the columns each part gets: its share, but one at least where it occurred.
std::array<size_t, kParts> columns(const std::array<int64_t, kParts>& parts) {
  std::array<size_t, kParts> columns{};
  const auto all = static_cast<double>(std::accumulate(parts.begin(), parts.end(), int64_t{0}));
  size_t taken = 0;
  for (size_t part = 0; part < kParts; ++part) {
    const double share = static_cast<double>(parts[part]) / all;
    columns[part] = parts[part] == 0 ? 0 : std::max<size_t>(static_cast<size_t>(share * kBar), 1);
    taken += columns[part];
  }
  size_t& widest = *std::max_element(columns.begin(), columns.end());
  widest += kBar - std::min(taken, kBar);
  widest -= std::min(taken - std::min(taken, kBar), widest - 1);
  return columns;
}

std::string_view whom(const flow::Timing& timing) {
  if (flow::earlier_ns(timing) > *timing.delivered_ns) {
    return "the Call to be sent again";
  }
  switch (timing.waited_on) {
    case flow::WaitedOn::responder:
      return "the Responder";
    case flow::WaitedOn::requester:
      return "the Requester";
    case flow::WaitedOn::network:
      return "lost packets";
    case flow::WaitedOn::data:
      return "data that RDMA moved";
  }
  return {};
}

}  // namespace

size_t time_width(const TextStyle& style) {
  return style.times != TextStyle::Times::absolute ? 12 : narrow(style) ? 15 : 26;
}

std::string time_text(const Exchange& exchange, const TextStyle& style) {
  const auto& begin = exchange.call ? exchange.call : exchange.reply;
  return begin ? time_text(begin->time_ns, style) : std::string();
}

std::string time_text(int64_t begin_ns, const TextStyle& style) {
  switch (style.times) {
    case TextStyle::Times::absolute:
      return base::date_text(begin_ns).substr(narrow(style) ? 11 : 0);  // the time of day alone
    case TextStyle::Times::delta:
      return base::seconds_text(begin_ns - style.previous_ns.value_or(begin_ns));
    case TextStyle::Times::relative:
      break;
  }
  return base::seconds_text(begin_ns - style.origin_ns);
}

std::string waited_text(const Exchange& exchange) {
  const std::optional<int64_t> waited = flow::waited_ns(exchange);
  return !waited ? "-" : (exchange.timing.unanswered_ns ? ">" : "") + base::duration_text(*waited);
}

std::string attempt_text(const Exchange& exchange, const TextStyle& style) {
  const flow::Timing& timing = exchange.timing;
  const bool elsewhere = timing.retry_of->connection != exchange.connection->number;
  std::string text = fmt::format("repeats the Call of frame {}", frame_text(timing.retry_of->call, style));
  if (elsewhere && timing.retry_of->connection != 0) {  // 0: not known yet
    text += fmt::format(" on #{}", timing.retry_of->connection);
  }
  text += fmt::format(" (attempt {})", timing.attempts);
  if (timing.total_ns) {
    text += fmt::format(", {} in all", base::duration_text(*timing.total_ns));
  }
  return text;
}

void text_phases(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  const flow::Timing& timing = exchange.timing;
  if (timing.delivered_ns.value_or(0) == 0) {
    return;
  }
  if (!narrow(style)) {
    hang(out, style, 25);
  }
  print(out, "{:24}[", "");
  const std::array<int64_t, kParts> parts = parts_of(timing);
  const std::array<size_t, kParts> widths = columns(parts);
  for (size_t part = 0; part < kParts; ++part) {
    put(out, std::string(widths[part], kLetters[part]));
  }
  put(out, "]");
  if (narrow(style)) {
    put(out, '\n');
    hang(out, style, 25);
    print(out, "{:24}", "");
  }
  for (size_t part = 0; part < kParts; ++part) {
    if (parts[part] != 0) {
      print(out, " {} {} ", part == 0 ? flow::earlier_name : flow::phase_names[part - 1],
            base::duration_text(parts[part]));
    }
  }
  print(out, " mostly waited for {}", whom(timing));
  if (timing.recovery_ns != 0) {
    print(out, " ({} for {} packets)", base::duration_text(timing.recovery_ns),
          timing.refused_ns == 0                    ? "lost"
          : timing.refused_ns == timing.recovery_ns ? "refused"
                                                    : "lost and refused");
  }
  put(out, '\n');
}

void text_legs(Buffer& out, const track::ConnectionNumber& number, const std::optional<Stamp>& call,
               std::string_view reply, std::string_view time, std::string_view waited,
               const TextStyle& style) {
  hang(out, style, 24);
  print(out, "#{:<3}  ", number);
  right_cell(out, call ? frame_text(*call, style) : "-", 8);
  if (!narrow(style)) {
    right_cell(out, reply, 8);
  }
  right_cell(out, time, time_width(style));
  right_cell(out, waited, 8);
}

}  // namespace steertag::report
