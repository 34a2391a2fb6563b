#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/counted.h"
#include "base/units.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text_stats.h"

namespace steertag::report {
namespace {

using stats::EndLoad;
using stats::Load;

// "12 from the client, 3 from the server".
std::string from_both(const Load& load, uint64_t EndLoad::*what) {
  return fmt::format("{} from {}, {} from {}", load.client.*what, load.roles_known ? "the client" : "a",
                     load.server.*what, load.roles_known ? "the server" : "b");
}

std::string credits_text(const Load& load) {
  const track::Credits& credits = load.credits;
  std::string text;
  if (credits.granted_min) {
    text = *credits.granted_min == *credits.granted_max
               ? base::counted(*credits.granted_max, "credit")
               : fmt::format("{} to {} credits", *credits.granted_min, *credits.granted_max);
    text += " granted, ";
  }
  text += credits.in_flight_max == 0
              ? "how many Calls at a time is not known"
              : fmt::format("at most {} at a time", base::counted(credits.in_flight_max, "Call"));
  if (const int64_t limit_ns = credits.at_limit_ns.value_or(0); limit_ns > 0) {
    text += fmt::format(", all credits in use for {}", base::duration_text(limit_ns));
    if (limit_ns <= load.busy_ns) {
      text += fmt::format(
          " ({} of the time with a Call under way)",
          base::percent_text(static_cast<uint64_t>(limit_ns), static_cast<uint64_t>(load.busy_ns)));
    }
  }
  return text;
}

std::string round_trip_text(const Load& load) {
  std::string text;
  const auto add = [&](const EndLoad& end, std::string_view whom) {
    if (end.rtt_ns) {
      text += fmt::format("{}{} to {}", text.empty() ? "round trip " : ", ", base::duration_text(*end.rtt_ns),
                          whom);
    }
  };
  add(load.client, load.roles_known ? "the client" : "a");
  add(load.server, load.roles_known ? "the server" : "b");
  return text;
}

// Where the time of its RPCs went by, as the tap saw it.
std::string sides_text(const Load& load) {
  constexpr std::array<std::pair<flow::WaitedOn, std::string_view>, flow::kWaitedOns> kParts = {
      {{flow::WaitedOn::responder, "on the server's side of the tap"},
       {flow::WaitedOn::requester, "on the client's"},
       {flow::WaitedOn::data, "on moving data"},
       {flow::WaitedOn::network, "on loss"}}};
  const uint64_t all = std::accumulate(load.spent_ns.begin(), load.spent_ns.end(), uint64_t{0});
  std::string text;
  for (const auto& [part, where] : kParts) {
    const uint64_t spent_ns = load.spent_ns[static_cast<size_t>(part)];
    const double share = all == 0 ? 0 : static_cast<double>(spent_ns) / static_cast<double>(all);
    if (share >= 0.005) {
      text += fmt::format("{}{} {}", text.empty() ? "RPC time: " : ", ", base::percent_text(share), where);
    }
  }
  return text;
}

void text_load(Buffer& out, const Load& load, const TextStyle& style) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) {
      text += (text.empty() ? "" : "; ") + part;
    }
  };
  add(fmt::format("{} {} {} {}", name(load.transport), load.client.address.text(),
                  load.roles_known ? "->" : "<->", load.server.address.text()));
  if (load.roles_known) {
    add(credits_text(load));
  }
  add(round_trip_text(load));
  if (load.roles_known) {
    add(sides_text(load));
  }
  const auto count = [&](std::string_view what, uint64_t EndLoad::*member) {
    if (load.client.*member + load.server.*member != 0) {
      add(fmt::format("{} {}", what, from_both(load, member)));
    }
  };
  count("sent again", &EndLoad::retransmitted);
  count("NAKs", &EndLoad::naks);
  count("RNR NAKs", &EndLoad::rnr_naks);
  count("zero windows", &EndLoad::zero_windows);
  count("ECN marks", &EndLoad::ecn_ce);
  count("CNPs", &EndLoad::cnps);
  if (load.pauses != 0) {
    add(fmt::format("pause frames {} on some link", load.pauses));
  }
  count("gaps in the capture", &EndLoad::gaps);
  put_wrapped(out, fmt::format("#{:<2} ", load.number), text, line_width(style));
}

}  // namespace

void text_loads(Buffer& out, const stats::Loads& loads, const TextStyle& style) {
  const std::vector<const Load*> all = loads.in_order();
  for (size_t i = 0; i < std::min(all.size(), kMostLoadLines); ++i) {
    text_load(out, *all[i], style);
  }
  const uint64_t rest = loads.rest() == nullptr ? 0 : loads.rest()->connections;
  if (const uint64_t more = all.size() - std::min(all.size(), kMostLoadLines) + rest; more != 0) {
    print(out, "and {}; --format jsonl tells of each\n", base::counted(more, "further connection"));
  }
}

}  // namespace steertag::report
