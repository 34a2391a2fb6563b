// RpcTimes: from when to when an RPC is shown, as a span of a trace and as a bar of a report. What the
// capture does not show of it ends where the capture, or its connection, does. Nanoseconds since the epoch,
// by the clock of the tap.
#pragma once

#include <algorithm>
#include <cstdint>

#include "flow/exchange.h"

namespace steertag::report {

// From when to when an RPC is shown: from its Call to the copy of its Reply that was accepted, as its Timing
// has it; to the Reply where that is not known. Without a Reply, to the last that was seen of its connection;
// without a Call, at the Reply.
struct RpcTimes {
  int64_t begin_ns = 0, end_ns = 0;
  bool ended = true;  // false: nobody has answered it, and nothing has ended its connection
};
inline RpcTimes times_of(const flow::Exchange& exchange) {
  const flow::Timing& timing = exchange.timing;
  if (timing.delivered_ns && exchange.timeline.reply_accepted) {
    const int64_t end_ns = exchange.timeline.reply_accepted->time_ns;
    return {.begin_ns = end_ns - *timing.delivered_ns, .end_ns = end_ns};
  }
  if (!exchange.call) {
    const int64_t at_ns = exchange.reply.value_or(Stamp()).time_ns;
    return {.begin_ns = at_ns, .end_ns = at_ns};
  }
  const int64_t begin_ns = exchange.call->time_ns;
  if (exchange.reply) {
    return {.begin_ns = begin_ns, .end_ns = std::max(begin_ns, exchange.reply->time_ns)};
  }
  return {.begin_ns = begin_ns,
          .end_ns = std::max(begin_ns, exchange.connection->last_frame.time_ns),
          .ended = exchange.connection->ended.has_value()};
}

}  // namespace steertag::report
