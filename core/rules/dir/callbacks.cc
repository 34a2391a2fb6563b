// Calls from server to client (RFC 8167).

#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {

namespace {

using flow::Callbacks;

// What says that an NFSv4.1 client takes callbacks is CREATE_SESSION or
// BIND_CONN_TO_SESSION; NFSv4.0 has a connection of its own for them.
Outcome check_callback_before_session(const flow::Message& message, Report& report) {
  const std::optional<flow::Side> client = message.connection->client;
  if (message.rpc == nullptr || !client || *client == message.from ||
      !rpcrdma::nfs4_callback(message.rpc->program, message.rpc->version)) {
    return Outcome::not_applicable;
  }
  if (message.standing->callbacks == Callbacks::perhaps) {
    return Outcome::undecided;
  }
  if (message.standing->callbacks == Callbacks::unannounced) {
    report("{} before any CREATE_SESSION or BIND_CONN_TO_SESSION of the client on this connection",
           rpcrdma::name(message.rpc->program, message.rpc->version, message.rpc->procedure));
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule callback_before_session = {
    .id = "DIR-03",
    .name = "callback-before-session",
    .severity = Severity::warning,
    .source = {"RFC 8167", "6"},
    .also = "rfc8267",
    .needs = needs_setup | needs_both_ways | needs_no_loss,
    .requirement =
        "A server sends no callback before the client has said on this connection that it takes them there",
    .why =
        "A client that is not ready has posted no receive buffer for it; the connection breaks, and again "
        "after each reconnect",
    .about = kinds::calls,
    .message = check_callback_before_session,
};

}  // namespace steertag::rules
