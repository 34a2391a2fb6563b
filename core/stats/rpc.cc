#include "stats/rpc.h"

namespace steertag::stats {
Rpc rpc_of(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  const rdma::Side client = client_of(exchange);
  Rpc rpc{.operation = operation_of(exchange),
          .connection = connection.number,
          .client = connection.end(client).address,
          .server = connection.end(rdma::other(client)).address,
          .callback = exchange.backward,
          .xid = exchange.xid,
          .file = exchange.subject.file,
          .user = exchange.subject.user,
          .called = exchange.call.has_value(),
          .began = began(exchange),
          .bytes = lengths(exchange),
          .failed = failed(exchange),
          .failure = {},
          .unanswered = unanswered(exchange),
          .accepted = exchange.call &&
                      connection.end(rdma::other(exchange.requester)).acknowledged_ns.value_or(INT64_MIN) >=
                          exchange.call->time_ns,
          .obstacle = exchange.reply ? flow::Obstacle::none : flow::obstacle(exchange),
          .lacking = connection.one_direction() || flow::may_lack_reply(exchange.doubt),
          .timing = exchange.timing,
          .disturbed = exchange.retransmissions + exchange.naks};
  rpc.first_ns = exchange.timeline.first_attempt.value_or(rpc.began.time_ns);
  if (rpc.failed) {
    rpc.failure = failure(exchange);
  }
  return rpc;
}

}  // namespace steertag::stats
