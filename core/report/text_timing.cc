#include "report/text_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "report/text_parts.h"
#include "report/units.h"

namespace steertag::report {

namespace {

using flow::Exchange;
using flow::kPhases;

constexpr size_t kBar = 40;                       // columns
constexpr std::string_view kLetters = "csR.Wfr";  // by flow::Phase
static_assert(kLetters.size() == kPhases);

// How many of the columns each phase gets: its share, but one at least where it occurred.
std::array<size_t, kPhases> columns(const flow::Timing& timing) {
  std::array<size_t, kPhases> columns{};
  size_t taken = 0;
  for (size_t phase = 0; phase < kPhases; ++phase) {
    const double share =
        static_cast<double>(timing.phases_ns[phase]) / static_cast<double>(*timing.delivered_ns);
    columns[phase] =
        timing.phases_ns[phase] == 0 ? 0 : std::max<size_t>(static_cast<size_t>(share * kBar), 1);
    taken += columns[phase];
  }
  size_t& widest = *std::max_element(columns.begin(), columns.end());
  widest += kBar - std::min(taken, kBar);
  widest -= std::min(taken - std::min(taken, kBar), widest - 1);
  return columns;
}

std::string_view words(flow::WaitedOn what) {
  switch (what) {
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
  if (!begin) {
    return {};
  }
  switch (style.times) {
    case TextStyle::Times::absolute:
      return date_text(begin->time_ns).substr(narrow(style) ? 11 : 0);  // the time of day alone
    case TextStyle::Times::delta:
      return seconds_text(begin->time_ns - style.previous_ns.value_or(begin->time_ns));
    case TextStyle::Times::relative:
      break;
  }
  return seconds_text(begin->time_ns - style.origin_ns);
}

std::string waited_text(const Exchange& exchange) {
  const std::optional<int64_t> waited = flow::waited_ns(exchange);
  return !waited ? "-" : (exchange.timing.unanswered_ns ? ">" : "") + duration_text(*waited);
}

std::string attempt_text(const Exchange& exchange, const TextStyle& style) {
  const flow::Timing& timing = exchange.timing;
  const bool elsewhere = timing.retry_of->connection != exchange.connection->number;
  std::string text = fmt::format("attempt {} after that in frame {}", timing.attempts,
                                 frame_text(timing.retry_of->call, style));
  if (elsewhere) {
    text += fmt::format(" on #{}", timing.retry_of->connection);
  }
  if (timing.total_ns) {
    text += fmt::format(", {} in all", duration_text(*timing.total_ns));
  }
  return text;
}

void text_phases(Buffer& out, const Exchange& exchange, const TextStyle& style) {
  const flow::Timing& timing = exchange.timing;
  if (timing.delivered_ns.value_or(0) == 0) {
    return;
  }
  print(out, "{:24}[", "");
  const std::array<size_t, kPhases> widths = columns(timing);
  for (size_t phase = 0; phase < kPhases; ++phase) {
    put(out, std::string(widths[phase], kLetters[phase]));
  }
  put(out, narrow(style) ? fmt::format("]\n{:24}", "") : "]");
  for (size_t phase = 0; phase < kPhases; ++phase) {
    if (timing.phases_ns[phase] != 0) {
      print(out, " {} {} ", flow::phase_names[phase], duration_text(timing.phases_ns[phase]));
    }
  }
  print(out, " mostly waited for {}", words(timing.waited_on));
  if (timing.recovery_ns != 0) {
    print(out, " ({} for lost packets)", duration_text(timing.recovery_ns));
  }
  put(out, '\n');
}

}  // namespace steertag::report
