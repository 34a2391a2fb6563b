// The members of {"type":"disturbances"}: what disturbed a connection in an interval, each said once for all
// that print or describe them (member.h). What did not happen is left out. Pause frames are of no
// connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "report/record/member.h"
#include "stats/disturbances.h"
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
template <typename To>
void tell_again(To& to, const stats::Disturbances::Interval& interval) {
  const bool known = interval.roles_known;
  const auto& [first, second] = interval.disturbed.again;
  to.some({"retransmitted_by_client", "some", "Packets or segments that the client sent again."},
          known ? first : 0);
  to.some({"retransmitted_by_server", "some", "The same of the server."}, known ? second : 0);
  to.some({"retransmitted_by_a", "some", "Where the roles are not known: of the end that was seen first."},
          known ? 0 : first);
  to.some({"retransmitted_by_b", "some", "Of the other."}, known ? 0 : second);
}

template <typename To>
void tell(To& to, const Disturbances& told) {
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

}  // namespace steertag::report::record
