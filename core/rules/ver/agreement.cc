// Versions of Calls, once something has been said about versions on their connection.

#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using flow::Direction;

// An answer has arrived this long after it passed the tap; messages that follow
// it sooner may have been in flight, unless their sender had acknowledged it.
constexpr int64_t kUnderWayNs = 1'000'000;

bool may_have_crossed(const flow::Message& message, const Stamp& answer, bool known) {
  return !known && message.at.time_ns - answer.time_ns < kUnderWayNs;
}

std::string name_of(const flow::Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  return h.is(rpcrdma::v2::Proc::optional) ? rpcrdma::procedure_name(h.version, h.procedure) : "Call";
}

Outcome check_call_leaves_version(const flow::Message& message, Report& report) {
  const auto& agreed = message.standing->agreed;
  if (!agreed) {
    return Outcome::not_applicable;
  }
  if (message.header->version == agreed->value) {
    return Outcome::done;
  }
  if (may_have_crossed(message, agreed->at, message.standing->agreed_known)) {
    return Outcome::undecided;
  }
  report("{} has rdma_vers {}, but the connection has settled on {}", name_of(message),
         message.header->version, agreed->value)
      .in(field::version)
      .with(agreed->at)
      .at_most(message.standing->agreed_known ? Certainty::definite : Certainty::likely);
  return Outcome::done;
}

// Once a Reply has settled the version, VER-03 judges.
Outcome check_call_in_refused_version(const flow::Message& message, Report& report) {
  const auto& refused = message.standing->refused;
  if (message.direction != Direction::call || !refused || refused->value.low > refused->value.high ||
      message.standing->agreed) {
    return Outcome::not_applicable;
  }
  if (refused->value.holds(message.header->version)) {
    return Outcome::done;
  }
  if (may_have_crossed(message, refused->at, message.standing->refused_known)) {
    return Outcome::undecided;
  }
  report("{} has rdma_vers {}, but the Responder has said that it supports {} to {}", name_of(message),
         message.header->version, refused->value.low, refused->value.high)
      .in(field::version)
      .with(refused->at)
      .at_most(message.standing->refused_known ? Certainty::definite : Certainty::likely);
  return Outcome::done;
}

Outcome check_early_length(const flow::Message& message, Report& report) {
  if (message.connection->client != message.from || message.standing->agreed) {
    return Outcome::not_applicable;
  }
  if (message.length > rpcrdma::default_inline_threshold) {
    report("{} of {} bytes in version two before a Reply has settled the version; {} are allowed",
           message.standing->ordinal == 1 ? "First message" : "Message", message.length,
           rpcrdma::default_inline_threshold);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule call_leaves_version = {
    .id = "VER-03",
    .name = "call-leaves-version",
    .source = {"RFC 8167", "5.1"},
    .also = "rfc8267,version-two-02",
    .needs = needs_both_ways,
    .about = kinds::calls | kinds::optionals,
    .message = check_call_leaves_version,
    .plain_message = plain::kept,
};

constinit const Rule call_in_refused_version = {
    .id = "VER-05",
    .name = "call-in-refused-version",
    .source = {"version-two-02", "6.2"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls | kinds::optionals,
    .message = check_call_in_refused_version,
    .plain_message = plain::never,
};

constinit const Rule first_message_too_long = {
    .id = "VER-06",
    .name = "first-message-too-long",
    .source = {"version-two-02", "6"},
    .needs = needs_setup | needs_no_loss,
    .about = kinds::version_two,
    .message = check_early_length,
};

}  // namespace steertag::rules
