// RDMA_ERRORs held against the message that they answer.

#include "history/characteristics.h"
#include "history/sizes.h"
#include "rpcrdma/header.h"
#include "rules/err/defects.h"
#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using rpcrdma::v2::ErrorCode;

// The message that an RDMA_ERROR is about.
struct Failed {
  uint32_t version = 0, procedure = 0;
  Stamp at;
  bool optional = false;
  bool call = false;
  uint32_t length = 0;  // bytes of the Send
};

// Which is meant where both an open Call and a message without an RPC have its XID.
enum class First : uint8_t { call, aside };

std::optional<Failed> failed_message(const flow::Standing& standing, First first) {
  const flow::Exchange* open = standing.open;
  const history::Aside* aside = standing.aside;
  if (aside != nullptr && (open == nullptr || first == First::aside)) {
    const bool optional = aside->version == 2 && aside->procedure == 5;
    return Failed{aside->version, aside->procedure, aside->at, optional, false, aside->length};
  }
  if (open == nullptr || !open->call_message.kept || !open->call) {
    return std::nullopt;
  }
  const rpcrdma::TransportHeader& h = open->call_message.header;
  return Failed{h.version,
                h.procedure,
                *open->call,
                h.is(rpcrdma::v2::Proc::optional),
                h.conveys_rpc() || h.is(rpcrdma::v2::Proc::optional),
                open->call_message.length};
}

// RFC 8166 §4.6.2 wants RDMA_DONE dropped in silence; RFC 5666 §11 says that nothing acknowledges it.
Outcome judge_error_to_done(const flow::Message& message, Report& report) {
  const flow::Standing& standing = *message.standing;
  if (standing.owed) {
    return Outcome::undecided;  // may answer the other copy of a Call that was sent twice
  }
  report("RDMA_ERROR in answer to RDMA_DONE, {}",
         report.rfc5666() ? "which must not be answered" : "which must be dropped silently")
      .with(standing.aside->at)
      .severity(report.rfc5666() ? Severity::warning : Severity::error);
  return Outcome::done;
}

Outcome check_stray_error(const flow::Message& message, Report& report) {
  const flow::Standing& standing = *message.standing;
  const bool done = standing.aside != nullptr && standing.aside->version == 1 &&
                    standing.aside->procedure == static_cast<uint32_t>(rpcrdma::v1::Proc::done);
  if (done && standing.open == nullptr) {
    return judge_error_to_done(message, report);
  }
  if (standing.open != nullptr || standing.aside != nullptr) {
    return Outcome::done;
  }
  if (standing.completed) {
    return Outcome::not_applicable;  // answered twice, which is another mistake
  }
  if (standing.own != nullptr) {
    report("RDMA_ERROR has the XID of an open Call of its own sender; a Requester must not send one")
        .with(*standing.own->call)
        .blame(Blame::requester, message.from);
  } else if (const history::Aside* aside = standing.answered_aside) {
    report("RDMA_ERROR with XID {:#010x}, of a message that was already answered", message.header->xid)
        .with(aside->at)
        .with(aside->answer ? *aside->answer : *aside->error);
  } else if (terms_of_receiver(message).forgot) {
    return Outcome::undecided;
  } else {
    report("RDMA_ERROR with XID {:#010x}, which no message to its sender has", message.header->xid)
        .blame_nobody();
  }
  return Outcome::done;
}

// RFC 5666 §4.2: any version that the sender of the error speaks, as it says in this error or has said.
Outcome check_version_of_rfc5666(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const auto& said = message.standing->refused;
  std::optional<flow::VersionRange> spoken = said ? std::optional(said->value) : std::nullopt;
  if (const auto range = reported_range(h)) {
    if (message.decoded.stop) {
      return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
    }
    spoken = range;
  }
  if (!spoken || spoken->low > spoken->high) {
    return Outcome::not_applicable;
  }
  if (!spoken->holds(h.version)) {
    auto entry = report("RDMA_ERROR has rdma_vers {}, but its sender supports {} to {}", h.version,
                        spoken->low, spoken->high);
    entry.in(field::version).source({"RFC 5666", "4.2"});
    const std::optional<Failed> failed = failed_message(*message.standing, First::call);
    if (!failed || failed->version == h.version) {
      entry.at_most(
          Certainty::possible);  // "valid at the receiver" may mean that of the error: it has used it
    }
    if (!reported_range(h)) {
      entry.with(said->at);
    }
  }
  return Outcome::done;
}

Outcome check_error_version(const flow::Message& message, Report& report) {
  if (report.rfc5666()) {
    return check_version_of_rfc5666(message, report);
  }
  const std::optional<Failed> failed = failed_message(*message.standing, First::call);
  if (!failed || failed->version < 1 || failed->version > 2) {
    return Outcome::not_applicable;
  }
  if (failed->version != message.header->version) {
    report("RDMA_ERROR has rdma_vers {}, but the message that it answers has {}", message.header->version,
           failed->version)
        .in(field::version)
        .with(failed->at);
  }
  return Outcome::done;
}

// A Responder, or its peer, has said by CONF_RDMA that it takes part in no RDMA Read (RFC 5666 §6.2).
bool reads_nothing(const flow::Message& message) {
  const history::Sizes& sizes = message.standing->ground->sizes;
  return sizes.configured(rdma::Side::a) &&
         (sizes.configured(rdma::Side::a)->named == 0U || sizes.configured(rdma::Side::b)->named == 0U);
}

// RFC 8166 §4.5.3: a Responder may also say ERR_CHUNK where the Reply chunk, or
// the lack of one, leaves no room for the Reply. Version two has CANT_REPLY for that.
Outcome check_unfounded_error(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool chunk = h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::chunk;
  const bool bad_xdr = h.error_v2 && h.error_v2->code == ErrorCode::bad_xdr;
  if (!chunk && !bad_xdr) {
    return Outcome::not_applicable;
  }
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || !open->call_message.kept || open->call_message.header.version != h.version) {
    return Outcome::not_applicable;
  }
  const flow::KeptMessage& call_message = open->call_message;
  const rpcrdma::TransportHeader& call = call_message.header;
  if (call.is(rpcrdma::v1::Proc::msgp) && !report.rfc5666()) {
    return Outcome::not_applicable;  // RFC 8166 §4.6.1 asks for just that answer
  }
  if (call.is(rpcrdma::v2::Proc::optional)) {
    return Outcome::not_applicable;  // what its extension demands is not known
  }
  if (whole(call_message.decoded) == Outcome::undecided) {
    return Outcome::undecided;
  }
  const bool room = chunk && !call.chunks.reply.empty();
  const bool found = report.earlier({"HDR", "PAY", "CHK", "DDP"}, [&](const Finding& finding) {
    return finding.severity != Severity::note && finding.at == *open->call;
  }) != nullptr;
  if (!rpcrdma::procedure_exists(call.version, call.procedure) || !plain_defect(call_message).empty() ||
      misaligned_read(call_message) || ineligible_read(call_message) || room || found ||
      (!call.chunks.reads.empty() && reads_nothing(message))) {
    return Outcome::done;
  }
  const std::optional<bool> walked = walked_defect(*open);
  if (walked.value_or(true)) {
    return walked ? Outcome::done : Outcome::undecided;
  }
  const std::string cause = possible_cause(call_message);
  report("{} for a Call without a visible defect{}{}",
         rpcrdma::error_name(h.version, h.error_code().value_or(0)),
         cause.empty() ? "; perhaps a limit of the Responder, or results that did not fit"
                       : "; perhaps because of ",
         cause)
      .with(*open->call)
      .at_most(open->procedure ? Certainty::likely : Certainty::possible);
  return Outcome::done;
}

bool unknown_code(uint32_t code) {
  return code < 1 || code > 5;
}

Outcome check_misplaced_code(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.error_v2 || unknown_code(static_cast<uint32_t>(h.error_v2->code))) {
    return Outcome::not_applicable;
  }
  const ErrorCode code = h.error_v2->code;
  const std::optional<Failed> failed =
      failed_message(*message.standing, code == ErrorCode::inval_option ? First::aside : First::call);
  if (!failed || failed->version != 2 || !rpcrdma::procedure_exists(2, failed->procedure)) {
    return Outcome::not_applicable;
  }
  const bool fits = code == ErrorCode::inval_option ? failed->optional
                    : code == ErrorCode::inval_proc ? false
                    : code == ErrorCode::cant_reply ? failed->call
                                                    : true;
  if (!fits) {
    report("{} in answer to {}", rpcrdma::v2::text(code), rpcrdma::procedure_name(2, failed->procedure))
        .in(field::error)
        .with(failed->at);
  }
  return Outcome::done;
}

// RFC 8166 §4.5: what has no room for the least header with chunk lists may be
// anything, its XID too. Linux answers it all the same.
Outcome check_short_message_answered(const flow::Message& message, Report& report) {
  const std::optional<Failed> failed = failed_message(*message.standing, First::call);
  const bool short_by_nature = failed && failed->procedure == static_cast<uint32_t>(rpcrdma::v1::Proc::done);
  if (report.rfc5666() || !failed || failed->version != 1 || short_by_nature) {
    return Outcome::not_applicable;
  }
  if (failed->length < kLeastMessage) {
    report("RDMA_ERROR in answer to a message of {} bytes; a message of fewer than {} must be dropped",
           failed->length, kLeastMessage)
        .with(failed->at)
        .severity(report.profile() == Profile::deployed ? Severity::note : Severity::error);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule stray_error = {
    .id = "ERR-01",
    .name = "stray-error",
    .source = {"RFC 8166", "4.5"},
    .also = "rfc5666,version-two-02",
    .needs = prefers_setup | needs_both_ways | needs_no_loss,
    .about = kinds::errors,
    .message = check_stray_error,
};

constinit const Rule error_version = {
    .id = "ERR-02",
    .name = "error-version-differs",
    .source = {"RFC 8166", "4.5"},
    .also = "rfc5666,version-two-02",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::errors,
    .message = check_error_version,
};

constinit const Rule unfounded_error = {
    .id = "ERR-04",
    .name = "error-without-visible-cause",
    .severity = Severity::warning,
    .source = {"RFC 8166", "4.5.2"},
    .also = "rfc8267,version-two-02",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::errors,
    .message = check_unfounded_error,
};

constinit const Rule misplaced_code = {
    .id = "ERR-07",
    .name = "error-code-does-not-fit",
    .severity = Severity::warning,
    .source = {"version-two-02", "5.2.4"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::errors & kinds::version_two,
    .message = check_misplaced_code,
};

constinit const Rule short_message_answered = {
    .id = "ERR-14",
    .name = "short-message-answered",
    .source = {"RFC 8166", "4.5"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::errors & kinds::version_one,
    .message = check_short_message_answered,
};

}  // namespace steertag::rules
