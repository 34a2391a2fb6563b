#include "report/rpc_times.h"

#include <algorithm>

namespace steertag::report {

RpcTimes times_of(const flow::Exchange& exchange) {
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
