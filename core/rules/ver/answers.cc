// Versions of a Call and of what answers it.

#include "history/terms.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using flow::Direction;

bool version_exists(uint32_t version) {
  return version == 1 || version == 2;
}

// An error repeats the version of what it answers.
Outcome check_unknown_version(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (message.length < rpcrdma::fixed_header_length) {
    return Outcome::not_applicable;
  }
  if (!fixed_header_captured(message)) {
    return Outcome::undecided;
  }
  if (version_exists(h.version)) {
    return Outcome::done;
  }
  if (h.is_error()) {
    return Outcome::not_applicable;
  }
  report("rdma_vers {}; there are only 1 and 2", h.version).in(field::version);
  return Outcome::done;
}

// The Call that this message answers; null where there is none.
const flow::Exchange* answered_call(const flow::Message& message) {
  if (message.direction != Direction::reply || !(conveys_rpc(message) || message.header->is_error())) {
    return nullptr;
  }
  const flow::Exchange* open = message.standing->open;
  return open != nullptr && open->call && open->call_message.kept ? open : nullptr;
}

// A Call in no version at all is VER-04's.
Outcome check_reply_version(const flow::Message& message, Report& report) {
  const flow::Exchange* open = answered_call(message);
  if (open == nullptr || !version_exists(open->version)) {
    return Outcome::not_applicable;
  }
  if (message.header->version != open->version) {
    report("Reply has rdma_vers {}, but its Call has {}", message.header->version, open->version)
        .in(field::version)
        .with(*open->call);
  }
  return Outcome::done;
}

// What an ERR_VERS answers: a Call, or a message without an RPC.
struct Refused {
  uint32_t version = 0;
  Stamp at;
  const char* what = "Call";
};

std::optional<Refused> refused_by(const flow::Message& message) {
  if (const flow::Exchange* open = answered_call(message)) {
    return Refused{open->version, *open->call};
  }
  const history::Aside* aside = message.standing->aside;
  return aside != nullptr ? std::optional(Refused{aside->version, aside->at, "message"}) : std::nullopt;
}

// Both ends have spoken the version that the connection has settled on.
Outcome judge_range_after_agreement(const flow::Message& message, flow::VersionRange range,
                                    const Refused& refused, Report& report) {
  const auto& agreed = message.standing->agreed;
  if (!agreed || !message.standing->agreed_known) {
    return Outcome::done;
  }
  if (refused.version == agreed->value) {
    report("ERR_VERS rejects version {}, which the connection has settled on", refused.version)
        .in(field::versions)
        .with(refused.at)
        .with(agreed->at);
  } else if (!range.holds(agreed->value)) {
    report("ERR_VERS reports versions {} to {}, but the connection has settled on {}", range.low, range.high,
           agreed->value)
        .in(field::versions)
        .with(agreed->at);
  }
  return Outcome::done;
}

Outcome judge_range(const flow::Message& message, flow::VersionRange range, Report& report) {
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  if (header_runs_off(message)) {
    return Outcome::not_applicable;
  }
  if (range.low > range.high) {
    report("ERR_VERS reports versions {} to {}, an empty range", range.low, range.high).in(field::versions);
    return Outcome::done;
  }
  const std::optional<Refused> refused = refused_by(message);
  if (!refused) {
    return Outcome::not_applicable;
  }
  if (range.holds(refused->version)) {
    report("ERR_VERS reports versions {} to {} in answer to a {} of version {}", range.low, range.high,
           refused->what, refused->version)
        .in(field::versions)
        .with(refused->at);
    return Outcome::done;
  }
  return judge_range_after_agreement(message, range, *refused, report);
}

Outcome check_version_refusal(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (const auto range = reported_range(h)) {
    return judge_range(message, *range, report);
  }
  const flow::Exchange* open = answered_call(message);
  if (open == nullptr) {
    return Outcome::not_applicable;
  }
  const auto& refused = message.standing->refused;
  const bool outside = refused && refused->value.low <= refused->value.high && !message.standing->agreed &&
                       !refused->value.holds(open->version);
  if (version_exists(open->version) && !outside) {
    return Outcome::not_applicable;
  }
  if (h.is_error() && !h.error_code()) {
    return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
  }
  auto entry = report("Call of version {} is answered by {}, expected ERR_VERS", open->version,
                      h.is_error() ? rpcrdma::error_name(h.version, *h.error_code())
                                   : rpcrdma::procedure_name(h.version, h.procedure));
  entry.with(*open->call);
  if (version_exists(open->version)) {
    entry.with(refused->at);
  }
  return Outcome::done;
}

// What a Responder has said that it does not speak it does not speak later either. A Call of such a version
// that is answered before anything is agreed is VER-04's, an ERR_VERS copies the version that it rejects
// (RFC 8166 §4.5).
Outcome check_outside_own_range(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const auto& said = message.standing->refused;
  if (message.direction != Direction::reply || !said || said->value.low > said->value.high ||
      reported_range(h)) {
    return Outcome::not_applicable;
  }
  if (h.is_error() && !h.error_code()) {
    return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
  }
  const flow::Exchange* open = answered_call(message);
  if (said->value.holds(h.version)) {
    return Outcome::done;
  }
  if (h.is_error() && open != nullptr && open->version == h.version) {
    return Outcome::not_applicable;
  }
  if (!message.standing->agreed && open != nullptr && open->version == h.version) {
    return Outcome::not_applicable;
  }
  report("{} has rdma_vers {}, but its sender has said that it supports {} to {}",
         h.is_error() ? "RDMA_ERROR" : "Reply", h.version, said->value.low, said->value.high)
      .in(field::version)
      .with(said->at);
  return Outcome::done;
}

}  // namespace

constinit const Rule unknown_version = {
    .id = "VER-01",
    .name = "unknown-version",
    .severity = Severity::warning,
    .source = {"RFC 8166", "4.2.2"},
    .needs = prefers_setup,
    .message = check_unknown_version,
    .plain_message = plain::kept,
};

constinit const Rule reply_in_other_version = {
    .id = "VER-02",
    .name = "reply-in-other-version",
    .source = {"version-two-02", "6.3"},
    .also = "rfc8166,rfc8167,rfc8267",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies | kinds::optionals,
    .message = check_reply_version,
    .plain_message = plain::kept,
};

constinit const Rule bad_version_refusal = {
    .id = "VER-04",
    .name = "bad-version-refusal",
    .source = {"RFC 8166", "4.5.1"},
    .also = "version-two-02",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies | kinds::errors,
    .message = check_version_refusal,
    .plain_message = plain::never,
};

constinit const Rule outside_own_range = {
    .id = "VER-07",
    .name = "version-outside-own-range",
    .source = {"RFC 8166", "4.5.1"},
    .also = "rfc5666,version-two-02",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::replies | kinds::errors,
    .message = check_outside_own_range,
    .plain_message = plain::never,
};

}  // namespace steertag::rules
