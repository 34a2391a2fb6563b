// The members of {"type":"pace"}: how the traffic of a connection went in one interval, each said once for
// all that print or describe them (member.h). More intervals of a connection are more records. No more time
// is spent at the limit of credits than an interval has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "report/record/member.h"
#include "stats/pace.h"
#include "track/connection_number.h"

namespace steertag::report::record {

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

template <typename To>
void tell(To& to, const Pace& told) {
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
