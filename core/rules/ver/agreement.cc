// Versions of Calls, once something has been said about versions on their connection.

#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {

namespace {

using flow::Direction;

// An answer has arrived this long after it passed the tap; Calls that follow it
// sooner may have been under way.
constexpr int64_t kUnderWayNs = 1'000'000;

bool may_have_crossed(const flow::Message& message, const Stamp& answer) {
  return message.at.time_ns - answer.time_ns < kUnderWayNs;
}

Outcome check_call_leaves_version(const flow::Message& message, Report& report) {
  const auto& agreed = message.standing->agreed;
  if (!agreed) {
    return Outcome::not_applicable;
  }
  if (message.header->version == agreed->value) {
    return Outcome::done;
  }
  if (may_have_crossed(message, agreed->at)) {
    return Outcome::undecided;
  }
  report("Call has rdma_vers {}, the connection has settled on {}", message.header->version, agreed->value)
      .in(field::version)
      .with(agreed->at);
  return Outcome::done;
}

// Once a Reply has settled the version, VER-03 judges.
Outcome check_call_in_refused_version(const flow::Message& message, Report& report) {
  const auto& refused = message.standing->refused;
  if (!refused || refused->value.low > refused->value.high || message.standing->agreed) {
    return Outcome::not_applicable;
  }
  if (refused->value.holds(message.header->version)) {
    return Outcome::done;
  }
  if (may_have_crossed(message, refused->at)) {
    return Outcome::undecided;
  }
  report("Call has rdma_vers {}, the Responder has said that it speaks {} to {}", message.header->version,
         refused->value.low, refused->value.high)
      .in(field::version)
      .with(refused->at);
  return Outcome::done;
}

Outcome check_first_message(const flow::Message& message, Report& report) {
  if (message.connection->client != message.from) {
    return Outcome::not_applicable;
  }
  if (message.standing->ordinal != 1 || message.standing->agreed) {
    return Outcome::not_applicable;
  }
  if (message.length > rpcrdma::default_inline_threshold) {
    report("First message, in version two, has {} bytes, it may have {}", message.length,
           rpcrdma::default_inline_threshold);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule call_leaves_version = {
    .id = "VER-03",
    .name = "call-leaves-version",
    .severity = Severity::error,
    .source = {"RFC 8167", "5.1"},
    .also = "rfc8267,version-two-02",
    .needs = needs_both_ways,
    .requirement = "Once a Reply has settled the version, all Calls of both directions have it",
    .why =
        "Credits, sizes and invalidation follow the version of the connection: the two ends then go by "
        "different rules",
    .about = kinds::calls,
    .message = check_call_leaves_version,
};

constinit const Rule call_in_refused_version = {
    .id = "VER-05",
    .name = "call-in-refused-version",
    .severity = Severity::error,
    .source = {"version-two-02", "6.2"},
    .needs = needs_both_ways,
    .requirement = "After ERR_VERS, Calls are in a version that the Responder says it speaks",
    .why = "It can only be refused again: a Requester that does not listen loops",
    .about = kinds::calls,
    .message = check_call_in_refused_version,
};

constinit const Rule first_message_too_long = {
    .id = "VER-06",
    .name = "first-message-too-long",
    .severity = Severity::error,
    .source = {"version-two-02", "6"},
    .needs = needs_setup | needs_no_loss,
    .requirement = "The client's first message, if it is in version two, has at most 1024 bytes",
    .why =
        "The server may speak version one alone and have receive buffers for no more: instead of an "
        "ERR_VERS the connection breaks",
    .about = kinds::version_two,
    .message = check_first_message,
};

}  // namespace steertag::rules
