// The members of {"type":"disturbances"}: what disturbed a connection in an interval, each said once for all
// that print or describe them (member.h). What did not happen is left out. Pause frames are of no
// connection.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "stats/disturbances.h"
#include "stats/pace.h"
#include "track/connection_number.h"

namespace steertag::report::record {

struct Disturbances {
  static constexpr std::string_view kType = "disturbances";
  static constexpr std::string_view kSays =
      "What disturbed a connection in an interval (from stats with --interval): packets sent again, and what "
      "says that somebody was slower than the other. Pause frames are of no connection.";

  track::ConnectionNumber number;   // 0: of none
  std::optional<int64_t> start_ns;  // unset: all intervals beyond the bound
  const stats::Disturbances::Interval& interval;
};

// What either end sent again.
void tell_again(auto& to, const stats::Disturbances::Interval& interval) {
  const bool known = interval.roles_known;
  const auto& [first, second] = interval.disturbed.again;
  to.some({"retransmitted_by_client", "some", "Packets or segments that the client sent again."},
          known ? first : 0);
  to.some({"retransmitted_by_server", "some", "The same of the server."}, known ? second : 0);
  to.some({"retransmitted_by_a", "some", "Where the roles are not known: of the end that was seen first."},
          known ? 0 : first);
  to.some({"retransmitted_by_b", "some", "Of the other."}, known ? 0 : second);
}

void tell(auto& to, const Disturbances& told) {
  const stats::Disturbed& disturbed = told.interval.disturbed;
  to.part(told.number != 0, [&] { to.connection({"conn", "conn"}, told.number); });
  to.seconds({"interval", "time", "Its start."}, told.start_ns);
  to.truth({"rest", "", "All intervals that were too many to be told apart."}, !told.start_ns);
  tell_again(to, told.interval);
  to.some({"naks", "some", "Negative acknowledgments, without those for receivers that are not ready."},
          disturbed.naks);
  to.some({"rnr_naks", "some", "Negative acknowledgments because the receiver had no buffer ready."},
          disturbed.rnr_naks);
  to.some({"zero_windows", "some", "Times that a TCP receiver had no room."}, disturbed.zero_windows);
  to.some({"ecn_ce", "some", "Packets that the network marked as congested."}, disturbed.ecn_ce);
  to.some({"cnps", "some", "Congestion notification packets."}, disturbed.cnps);
  to.some({"pauses", "some", "Pause frames."}, disturbed.pauses);
}

// The members of {"type":"pace"}: how the traffic of a connection went in one interval, each said once for
// all that print or describe them (member.h). More intervals of a connection are more records. No more time
// is spent at the limit of credits than an interval has.
struct Pace {
  static constexpr std::string_view kType = "pace";
  static constexpr std::string_view kSays =
      "How the traffic of a connection went in an interval (from report, where it leaves RPCs out). "
      "Intervals in which nothing was are left out.";

  track::ConnectionNumber number;
  int64_t start_ns = 0;
  uint64_t length_ns = 0;
  const stats::Pace::Interval& interval;
};

void tell(auto& to, const Pace& told) {
  const stats::Pace::Interval& interval = told.interval;
  to.connection({"conn", "conn"}, told.number);
  to.seconds({"interval", "time", "Its start."}, told.start_ns);
  to.number({"interval_ns", "some", "Its length in nanoseconds, the same of all intervals of a connection."},
            told.length_ns);
  to.number({"outstanding_us", "us",
             "The time that Calls of the client waited for their Replies, added up: divided by the length, "
             "it is how many were outstanding on average."},
            interval.outstanding_ns / 1000);
  to.number({"at_credit_limit_us", "us", "For how long all credits were in use."},
            interval.at_limit_ns != 0 ? std::optional(std::min(interval.at_limit_ns, told.length_ns) / 1000)
                                      : std::nullopt);
  to.number({"granted_min", "word", "The fewest credits that a Reply granted."}, interval.granted_min);
  to.number(
      {"bytes_to_server", "count", "Bytes of RPC messages, inline and by RDMA, by the time of the Reply."},
      interval.to_server);
  to.number({"bytes_to_client", "count", "The same in the other direction."}, interval.to_client);
}

}  // namespace steertag::report::record
