#include "stats/rpc.h"

#include "flow/pauses.h"

namespace steertag::stats {
namespace {

// Whether nothing but its Responder kept the Calls before unanswered. It has answered this one, and so it had
// all that was sent before on that connection. What it had to read it may have waited for; and where anything
// is missing from the capture, it may have answered.
bool ignored(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  const track::End &requester = connection.end(exchange.requester),
                   &responder = connection.end(rdma::other(exchange.requester));
  const auto& before = exchange.timing.retry_of;
  return before && before->connection == connection.number && !exchange.timeline.moved &&
         exchange.timing.delivered_ns && !exchange.timeline.first_read && requester.zero_windows == 0 &&
         requester.rnr_naks == 0 && connection.pauses < flow::Pauses::kLeast && requester.gaps == 0 &&
         responder.gaps == 0 && !connection.one_direction();
}

}  // namespace

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
          .ignored = ignored(exchange),
          .disturbed = exchange.retransmissions + exchange.naks};
  rpc.first_ns = exchange.timeline.first_attempt.value_or(rpc.began.time_ns);
  if (rpc.failed) {
    rpc.failure = failure(exchange);
  }
  return rpc;
}

}  // namespace steertag::stats
