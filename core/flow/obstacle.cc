#include "flow/obstacle.h"

#include <algorithm>

#include "flow/pauses.h"

namespace steertag::flow {
namespace {

// Asked for, and not come.
bool awaits_data(const SegmentFlow& segment) {
  return segment.kind == ChunkKind::read && segment.traffic &&
         segment.requested().total() > segment.moved().total();
}

// When the Responder wrote for the last time, ns; INT64_MIN: never.
int64_t last_write_ns(const Exchange& exchange) {
  int64_t last_ns = INT64_MIN;
  for (const SegmentFlow& segment : exchange.segments) {
    if (!for_reading(segment.kind) && !segment.frames().empty()) {
      last_ns = std::max(last_ns, segment.frames().back().time_ns);
    }
  }
  return last_ns;
}

// Until the end, from during the Call on.
bool closed(const track::End& requester, int64_t call_ns) {
  return requester.zero_windows != 0 && requester.last_zero_window.time_ns >= call_ns &&
         requester.last_room.time_ns < requester.last_zero_window.time_ns;
}

}  // namespace

Obstacle obstacle(const Exchange& exchange) {
  if (!exchange.call) {
    return Obstacle::none;
  }
  const track::Connection& connection = *exchange.connection;
  const track::End& requester = connection.end(exchange.requester);
  const track::End& responder = connection.end(rdma::other(exchange.requester));
  const int64_t call_ns = exchange.call->time_ns;
  const auto sent_again_since = [&](int64_t since_ns) {
    return responder.retransmissions != 0 && responder.last_retransmission.time_ns >= since_ns;
  };
  if (std::any_of(exchange.segments.begin(), exchange.segments.end(), awaits_data)) {
    return sent_again_since(call_ns) ? Obstacle::read_lost : Obstacle::read_unanswered;
  }
  const int64_t written_ns = last_write_ns(exchange);
  if (written_ns != INT64_MIN && sent_again_since(written_ns) &&
      requester.acknowledged_ns.value_or(INT64_MIN) < written_ns) {
    return Obstacle::writes_lost;
  }
  if (closed(requester, call_ns)) {
    return Obstacle::no_room;
  }
  const auto paused = static_cast<int64_t>(connection.pauses);
  return connection.pauses >= Pauses::kLeast &&
                 paused >= (connection.until_ns() - call_ns) / 2 / Pauses::kLongestNs
             ? Obstacle::link_paused
             : Obstacle::none;
}

}  // namespace steertag::flow
