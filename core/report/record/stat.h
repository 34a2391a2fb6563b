// The members of {"type":"stat"}: what a group of RPCs has in common, how many they are, how they ended and
// how long they took, each said once for all that print or describe them (member.h). Means are of the RPCs
// whose time is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/printable.h"
#include "flow/timing.h"
#include "report/record/member.h"
#include "report/stats.h"
#include "stats/operation.h"

namespace steertag::report::record {

struct Stat {
  static constexpr std::string_view kType = "stat";
  static constexpr std::string_view kSays =
      "A group of RPCs (from stats), with --interval of those whose Call was sent in one interval. Which of "
      "op, conn, client, server, file, user there are is what --by says.";

  const report::Stat& stat;
};

void tell_operation(auto& to, const stats::Operation& operation) {
  to.text({"op", "op"}, operation.op);
  to.text({"protocol", "protocol"}, stats::protocol(operation));
  to.needs("op", {"protocol"});
  to.needs("protocol", {"op"});
}

void tell_key(auto& to, const stats::Grouping& by, const stats::Key& key) {
  to.variant(by.op, [&] { to.part(key.operation.known(), [&] { tell_operation(to, key.operation); }); });
  to.variant(by.connection, [&] { to.connection({"conn", "conn"}, key.connection); });
  to.variant(by.client, [&] { to.text({"client", "address"}, key.client.text()); });
  to.variant(by.server, [&] { to.text({"server", "address"}, key.server.text()); });
  to.variant(by.file, [&] {
    to.text_if(
        {"file", kSomeText, "The file that they are about; left out for those of which it is not known."},
        base::printable(key.file));
  });
  to.variant(by.user, [&] {
    to.number({"user", "word", "The user id of AUTH_SYS; left out for those that have none."}, key.user);
  });
}

void tell_delivered(auto& to, const stats::Durations& delivered, uint64_t mean_us) {
  to.object({"delivered_us", "", "From the first Call to the accepted Reply, in microseconds."}, [&] {
    const auto percentile = [&](double fraction) { return whole_us(delivered.percentile(fraction)); };
    to.number({"min", "us"}, whole_us(delivered.least()));
    to.number({"mean", "us"}, mean_us);
    to.number({"p50", "us"}, percentile(0.5));
    to.number({"p90", "us"}, percentile(0.9));
    to.number({"p99", "us"}, percentile(0.99));
    to.number({"p999", "us"}, percentile(0.999));
    to.number({"max", "us"}, whole_us(delivered.greatest()));
  });
}

// What the means are of.
void tell_sums(auto& to, const stats::Totals& totals) {
  const auto sum = [&](std::string_view name, uint64_t ns) {
    to.some({name, "some"}, whole_us(static_cast<int64_t>(ns)));
  };
  to.object({"sums_us", "", "From report: the times of all of them together, in microseconds."}, [&] {
    sum("delivered", totals.delivered.sum_ns());
    sum(flow::earlier_name, totals.earlier_ns);
    for (size_t i = 0; i < flow::kPhases; ++i) {
      sum(flow::phase_names[i], totals.phases_ns[i]);
    }
    sum("recovery", totals.recovery_ns);
  });
}

// How long they took, and what they waited for: of those whose time is known.
void tell_times(auto& to, const stats::Totals& totals, bool reported) {
  const uint64_t timed = std::max<uint64_t>(totals.delivered.count(), 1);
  const auto mean_us = [&](uint64_t sum_ns) { return whole_us(static_cast<int64_t>(sum_ns / timed)); };
  const auto mean_of_some = [&](const Member& m, uint64_t sum_ns) {
    to.number(m, sum_ns != 0 ? std::optional(mean_us(sum_ns)) : std::nullopt);
  };
  tell_delivered(to, totals.delivered, mean_us(totals.delivered.sum_ns()));
  to.object({"phases", "", "The mean of each phase, in microseconds; one that never occurred is left out."},
            [&] {
              mean_of_some({flow::earlier_name, "us", "Until the Call was sent for the last time."},
                           totals.earlier_ns);
              for (size_t i = 0; i < flow::kPhases; ++i) {
                mean_of_some({flow::phase_names[i], "us"}, totals.phases_ns[i]);
              }
            });
  mean_of_some(
      {"recovery_us", "us", "The mean of what went by waiting for what was lost, or refused by an RNR NAK."},
      totals.recovery_ns);
  to.object({"waited_on", "", "How many RPCs waited longest on whom or what."}, [&] {
    for (size_t i = 0; i < flow::kWaitedOns; ++i) {
      to.some({flow::waited_on_names[i], "some", "RPCs that waited longest on it."}, totals.waited_on[i]);
    }
  });
  to.variant(reported, [&] { tell_sums(to, totals); });
  to.needs("delivered_us", {"phases", "waited_on"});
  to.needs("phases", {"delivered_us"});
  to.needs("waited_on", {"delivered_us"});
  to.needs("recovery_us", {"delivered_us"});
}

void tell(auto& to, const Stat& told) {
  static const stats::Key kNone;
  const report::Stat& stat = told.stat;
  const stats::Totals& totals = stat.totals;
  to.part(stat.key != nullptr, [&] { tell_key(to, stat.by, stat.key != nullptr ? *stat.key : kNone); });
  to.truth({"rest", "", "All RPCs of the groups and intervals beyond those that are kept."},
           stat.key == nullptr);
  to.variant(stat.by.interval_ns != 0, [&] {
    to.seconds({"interval", "time", "When the interval begins."}, stat.interval_ns);
  });
  to.number({"count", "count", "RPCs; a Call that was sent again is one with its first."}, totals.count);
  to.number({"failed", "count",
             "Of them: a status of NFS that is not OK, refused by RPC, or an error of the transport."},
            totals.failed);
  to.number({"unanswered", "count", "Of them: no Reply."}, totals.unanswered);
  to.number({"retries", "count", "How many times a Call was sent again."}, totals.retries);
  to.number({"args_bytes", "count", "Bytes of the RPC Calls, chunks included."}, totals.arguments);
  to.number({"results_bytes", "count", "Bytes of the RPC Replies, chunks included."}, totals.results);
  const uint64_t timed = totals.delivered.count();
  to.number({"timed", "count", "RPCs whose time is known; times and phases are of these."}, timed);
  to.part(timed != 0, [&] { tell_times(to, totals, stat.reported); });
  const auto waiting = [&](std::string_view name, uint64_t ns, std::string_view says) {
    to.number({name, "us", says}, ns != 0 ? std::optional(whole_us(static_cast<int64_t>(ns))) : std::nullopt);
  };
  waiting(
      "waiting_us", totals.waiting_ns,
      "How long those whose Reply certainly did not come waited together, until nothing more could come.");
  waiting("longest_waiting_us", totals.longest_waiting_ns, "The longest of them.");
  to.needs("waiting_us", {"longest_waiting_us"});
  to.needs("longest_waiting_us", {"waiting_us"});
}

}  // namespace steertag::report::record
