// Calls from server to client (RFC 8167).

#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using flow::Callbacks;

// There is no back channel (RFC 8881 §18.36.3, §18.34.3, §18.37.3).
Report::Entry report_callback(const rpcrdma::RpcHeader& call, const std::optional<flow::NoBackChannel>& none,
                              Report& report) {
  using Why = flow::NoBackChannel::Why;
  const std::string name = rpcrdma::name(call.program, call.version, call.procedure);
  if (!none) {
    return report("{} before any CREATE_SESSION or BIND_CONN_TO_SESSION of the client on this connection",
                  name);
  }
  auto entry =
      report("{} on a connection without a back channel: {}", name,
             none->why == Why::not_requested ? "its client has opened a session here, but asked for none"
             : none->why == Why::not_granted ? "its client was granted none"
                                             : "the session that had one was destroyed");
  entry.with(none->at);
  return entry;
}

// What says that an NFSv4.1 client takes callbacks is CREATE_SESSION or
// BIND_CONN_TO_SESSION; NFSv4.0 has a connection of its own for them.
Outcome check_callback_before_session(const flow::Message& message, Report& report) {
  const std::optional<flow::Side> client = message.connection->client;
  if (message.direction != flow::Direction::call || message.rpc == nullptr || !client ||
      *client == message.from || !rpcrdma::nfs4_callback(message.rpc->program, message.rpc->version)) {
    return Outcome::not_applicable;
  }
  if (message.standing->back_channel.callbacks == Callbacks::perhaps) {
    return Outcome::undecided;
  }
  if (message.standing->back_channel.callbacks == Callbacks::unannounced) {
    report_callback(*message.rpc, message.standing->back_channel.none, report);
  }
  return Outcome::done;
}

// A callback in a Position-Zero Read chunk has been read only when the RPC is over.
Outcome check_long_callback_before_session(const flow::Exchange& exchange, Report& report) {
  if (!exchange.backward || !exchange.call || !exchange.call_message.kept ||
      !exchange.call_message.header.is_nomsg()) {
    return Outcome::not_applicable;
  }
  const rpcrdma::RpcHeader* call = report.upper_layer().header();
  if (call == nullptr || exchange.call_message.back_channel.callbacks == Callbacks::perhaps) {
    return Outcome::undecided;
  }
  if (!rpcrdma::nfs4_callback(call->program, call->version)) {
    return Outcome::not_applicable;
  }
  if (exchange.call_message.back_channel.callbacks == Callbacks::unannounced) {
    report_callback(*call, exchange.call_message.back_channel.none, report).of_call(exchange);
  }
  return Outcome::done;
}

// Bytes of the RPC message of a Call or a Reply, without transport headers.
uint64_t rpc_length(const flow::KeptMessage& leg, uint64_t chunk, uint32_t inlined) {
  return leg.header.is_nomsg() ? chunk : inlined;
}

// RFC 8267 §6.5.2: a client that sets no more than fits inline wants to see no
// chunks in this direction. RFC 8881 §18.36.3 has the sizes bind both ends.
Outcome check_callback_size(const flow::Exchange& exchange, Report& report) {
  if (!exchange.backward || !exchange.call || legible(exchange.call_message) != Outcome::done) {
    return Outcome::not_applicable;
  }
  const flow::KeptMessage& call_message = exchange.call_message;
  const rpcrdma::RpcHeader* call = report.upper_layer().header();
  if (call == nullptr || !call_message.back_channel.sizes) {
    return Outcome::undecided;
  }
  if (!rpcrdma::nfs4_callback(call->program, call->version)) {
    return Outcome::not_applicable;
  }
  const rpcrdma::ChunkLists& chunks = call_message.header.chunks;
  const std::string name = rpcrdma::name(call->program, call->version, call->procedure);
  const nfs::BackChannel& sizes = *call_message.back_channel.sizes;
  const uint64_t request =
      rpc_length(call_message, chunks.position_zero_length(), exchange.call_inline_length);
  if (request > sizes.most_request) {
    report("{} of {} bytes, but ca_maxrequestsize of the back channel is {}", name, request,
           sizes.most_request)
        .of_call(exchange);
  } else if (chunks.segments() != 0 && !call_message.send_limit) {
    return Outcome::undecided;
  } else if (chunks.segments() != 0 && sizes.most_request <= *call_message.send_limit) {
    report(
        "{} with chunks, although ca_maxrequestsize of the back channel, {}, is within the inline threshold "
        "of {}",
        name, sizes.most_request, *call_message.send_limit)
        .of_call(exchange);
  }
  if (legible(exchange.reply_message) == Outcome::done) {
    const uint64_t reply =
        rpc_length(exchange.reply_message, exchange.reply_message.header.chunks.reply_length(),
                   exchange.reply_inline_length);
    if (reply > sizes.most_reply) {
      report("Reply of {} bytes to {}, but ca_maxresponsesize of the back channel is {}", reply, name,
             sizes.most_reply)
          .at_most(report.upper_layer().surest());
    }
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
    .about = kinds::calls | kinds::optionals,
    .message = check_callback_before_session,
    .exchange = check_long_callback_before_session,
    .plain_message = plain::never,
    .plain_exchange = plain::never,
};

constinit const Rule callback_size = {
    .id = "DIR-04",
    .name = "callback-too-large",
    .source = {"RFC 8267", "6.5.2"},
    .needs = needs_setup | needs_both_ways | needs_no_loss,
    .exchange = check_callback_size,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
