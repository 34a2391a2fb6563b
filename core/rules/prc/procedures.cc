// Which procedures a version has, and which must no longer be used.

#include "rules/ending.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;

// Nothing to say of Sends without a procedure, nor of versions that are not known.
std::optional<Outcome> no_procedure(const flow::Message& message) {
  if (message.length < rpcrdma::fixed_header_length) {
    return Outcome::not_applicable;
  }
  if (!fixed_header_captured(message)) {
    return Outcome::undecided;
  }
  const uint32_t version = message.header->version;
  return version == 1 || version == 2 ? std::nullopt : std::optional(Outcome::not_applicable);
}

Outcome check_undefined_procedure(const flow::Message& message, Report& report) {
  if (const auto outcome = no_procedure(message)) {
    return *outcome;
  }
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.version == 1 && !rpcrdma::procedure_exists(1, h.procedure)) {
    report("rdma_proc {}; version one has 0 to 4", h.procedure).in(field::procedure);
  } else if (h.version == 2 && !rpcrdma::procedure_exists(2, h.procedure)) {
    const std::string_view former = text(static_cast<v1::Proc>(h.procedure));
    // cppcheck-suppress danglingTemporaryLifetime ; text() returns a literal
    if (former.empty()) {
      report("rdma_proc {}; version two has 0, 1, 4 and 5", h.procedure).in(field::procedure);
    } else {
      report("rdma_proc {}, the {} of version one, which version two does not have", h.procedure, former)
          .in(field::procedure);
    }
  }
  return Outcome::done;
}

Outcome check_msgp(const flow::Message& message, Report& report) {
  if (const auto outcome = no_procedure(message)) {
    return *outcome;
  }
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.version != 1) {
    return Outcome::not_applicable;
  }
  if (h.is(v1::Proc::msgp)) {
    const v1::Padding padding = h.padding.value_or(v1::Padding{});
    report("RDMA_MSGP with alignment {} and threshold {}", padding.align, padding.thresh)
        .in(field::procedure)
        .severity(report.rfc5666() ? Severity::note : Severity::error);
  }
  return Outcome::done;
}

// RFC 5666 §3.5: RDMA_DONE says that the Read list of a Reply has been read.
Outcome check_done_of_rfc5666(const flow::Message& message, Report& report) {
  if (!message.header->is(v1::Proc::done)) {
    return Outcome::not_applicable;
  }
  const track::Connection& connection = *message.connection;
  if (!message.standing->known || !connection.seen_from_start || connection.last_doubt_ns ||
      connection.one_direction()) {
    return Outcome::undecided;  // the Reply may not be in the capture
  }
  const auto& completed = message.standing->completed;
  if (completed && !completed->reads) {
    report("RDMA_DONE for a Reply without a Read list").in(field::procedure).with(completed->reply);
  } else if (completed && completed->done && !completed->repeated) {
    report("Second RDMA_DONE for the same Reply")
        .in(field::procedure)
        .with(completed->reply)
        .with(*completed->done);
  }
  return completed ? Outcome::done : Outcome::not_applicable;  // one without a Reply is judged at the end
}

Outcome check_done(const flow::Message& message, Report& report) {
  if (const auto outcome = no_procedure(message)) {
    return *outcome;
  }
  if (message.header->version != 1) {
    return Outcome::not_applicable;
  }
  if (report.rfc5666()) {
    return check_done_of_rfc5666(message, report);
  }
  if (message.header->is(v1::Proc::done)) {
    report("RDMA_DONE, which RFC 8166 no longer allows").in(field::procedure);
  }
  return Outcome::done;
}

// And that one comes for each of them, and for nothing else.
Outcome check_owed_dones(const Ending& ending, Report& report) {
  if (!report.rfc5666() || ending.history == nullptr) {
    return Outcome::not_applicable;
  }
  const track::Connection& connection = *ending.connection;
  const bool whole = connection.seen_from_start && !connection.last_doubt_ns && !connection.one_direction();
  Outcome outcome = Outcome::not_applicable;
  for (const rdma::Side requester : {rdma::Side::a, rdma::Side::b}) {
    const history::Completions& completions = ending.history->of(requester).completions;
    for (const history::Completions::StrayDone& stray : completions.stray_dones()) {
      if (!whole) {
        return Outcome::undecided;
      }
      outcome = Outcome::done;
      report("RDMA_DONE, but no Reply with this XID is known")
          .at(stray.at)
          .of(stray.xid)
          .at_most(Certainty::likely)
          .blame(Blame::requester, requester);
    }
    for (const history::Completions::OwedDone& owed : completions.owed_dones()) {
      if (!whole || !answer_was_due(ending, true, owed.reply)) {
        return Outcome::undecided;
      }
      outcome = Outcome::done;
      report("No RDMA_DONE follows this Reply, which has a Read list")
          .at(owed.reply)
          .of(owed.xid)
          .severity(Severity::warning)
          .at_most(Certainty::likely)
          .blame(Blame::requester, requester);
    }
  }
  return outcome;
}

}  // namespace

constinit const Rule undefined_procedure = {
    .id = "PRC-01",
    .name = "undefined-procedure",
    .source = {"RFC 8166", "4.2.4"},
    .also = "version-two-02",
    .message = check_undefined_procedure,
    .plain_message = plain::kept,
};

constinit const Rule msgp_sent = {
    .id = "PRC-02",
    .name = "msgp-sent",
    .source = {"RFC 8166", "4.6.1"},
    .message = check_msgp,
    .plain_message = plain::kept,
};

constinit const Rule done_sent = {
    .id = "PRC-03",
    .name = "done-sent",
    .source = {"RFC 8166", "4.6.2"},
    .also = "rfc5666",
    .message = check_done,
    .ending = check_owed_dones,
};

}  // namespace steertag::rules
