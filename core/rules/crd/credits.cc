// How many Calls a Requester may have outstanding, and what a Responder may grant.

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using rpcrdma::xchar::Operation;

bool crd_is(const rpcrdma::TransportHeader& h, Operation operation) {
  return h.is(rpcrdma::v2::Proc::optional) && !h.optional.empty() && h.optional[0].opttype == operation;
}

// This Call is one more outstanding: an RPC, or a request of the extension.
bool crd_opens(const flow::Message& message) {
  return message.direction == flow::Direction::call &&
         (conveys_rpc(message) || crd_is(*message.header, Operation::reqxch));
}

bool crd_backward(const flow::Message& message) {
  return message.connection->client && *message.connection->client != message.from;
}

// RFC 8166 §3.3.1: a grant of zero would leave the Requester silent for good. RFC
// 5666 §3.3 allowed it while the server was working on something. In version two
// credit limits come from messages that are no errors (version-two-02 §6).
Outcome check_zero_grant(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool grants =
      conveys_rpc(message) || (h.is_error() && spoken_version(message) != 2) || crd_is(h, Operation::respxch);
  if (message.direction != flow::Direction::reply || !grants) {
    return Outcome::not_applicable;
  }
  if (message.bytes.size() < 12) {
    return Outcome::undecided;
  }
  if (h.credit != 0) {
    return Outcome::done;
  }
  if (report.rfc5666()) {
    if (!message.standing->known) {
      return Outcome::undecided;
    }
    // The Call that this answers is still counted.
    const uint32_t answered = message.standing->open != nullptr ? 1 : 0;
    if (message.standing->credits.outstanding > answered) {
      return Outcome::done;
    }
    if (!message.connection->seen_from_start || message.connection->last_doubt_ns) {
      return Outcome::undecided;  // a Call that was not captured may be outstanding
    }
  }
  report("{} grants 0 credits; it must grant at least 1", h.is_error() ? "RDMA_ERROR" : "Reply")
      .in(field::credit)
      .severity(h.is_error() ? Severity::warning : Severity::error);
  return Outcome::done;
}

// version-two-02 §6 counts messages, and INITXCH has no answer that could end its turn: one such message is
// spared, since xcharext-02 §4.1 wants it to go first; a second one that nothing has answered is not. Nor is
// one of another extension, but parts of an RPC message are.
Outcome judge_notices_before_grant(const flow::Message& message, Report& report) {
  const auto notice = [](Operation operation) {
    return operation != Operation::reqxch && operation != Operation::respxch;
  };
  const rpcrdma::v2::Optional* body = optional_of(message);
  if (body == nullptr || !notice(body->opttype) || message.part != flow::Part::none ||
      message.direction != flow::Direction::call || crd_backward(message) ||
      message.standing->credits.any_grant) {
    return Outcome::not_applicable;
  }
  for (const history::Aside& aside : terms_of_sender(message).asides) {
    const bool open = !aside.reply && !aside.payload && !aside.error && !aside.answer;
    if (aside.opttype && notice(*aside.opttype) && open) {
      report("A second RDMA2_OPTIONAL without an RPC before the first Reply has granted credits")
          .with(aside.at)
          .severity(Severity::warning)
          .at_most(Certainty::likely);
      break;
    }
  }
  return Outcome::done;
}

Outcome check_calls_before_grant(const flow::Message& message, Report& report) {
  if (!crd_opens(message)) {
    return judge_notices_before_grant(message, report);
  }
  const flow::CreditAccount& credits = message.standing->credits;
  if (credits.any_grant) {
    return Outcome::not_applicable;
  }
  if (credits.certain > 1) {
    report("{} {}Calls are outstanding before the first Reply has granted credits; 1 is allowed",
           credits.certain, crd_backward(message) ? "backward " : "")
        .severity(crd_backward(message) ? Severity::warning : Severity::error);
  }
  return Outcome::done;
}

Outcome check_credit_overrun(const flow::Message& message, Report& report) {
  if (!crd_opens(message)) {
    return Outcome::not_applicable;
  }
  const flow::CreditAccount& credits = message.standing->credits;
  if (!credits.most_granted) {
    return credits.any_grant ? Outcome::undecided : Outcome::not_applicable;
  }
  const uint32_t granted = credits.most_granted->value;
  const char* direction = crd_backward(message) ? "backward" : "forward";
  if (credits.certain > granted) {
    report("{} Calls are outstanding in the {} direction, but {} {} granted", credits.certain, direction,
           granted, granted == 1 ? "is" : "are")
        .with(credits.most_granted->at);
    return Outcome::done;
  }
  if (credits.outstanding > granted) {
    return Outcome::undecided;  // a Reply that is missing from the capture may have come
  }
  const uint32_t requested =
      std::max(message.header->credit, credits.requested ? credits.requested->value : message.header->credit);
  if (requested != 0 && credits.certain > requested) {
    report("{} Calls are outstanding in the {} direction, more than the {} requested; {} are granted",
           credits.certain, direction, requested, granted)
        .severity(Severity::note);
  }
  return Outcome::done;
}

Outcome check_zero_request(const flow::Message& message, Report& report) {
  if (!crd_opens(message)) {
    return Outcome::not_applicable;
  }
  if (message.bytes.size() < 12) {
    return Outcome::undecided;
  }
  if (message.header->credit == 0) {
    report("Call requests 0 credits; it should request at least 1").in(field::credit);
  }
  return Outcome::done;
}

// RFC 5666 §3.8: an RDMA_DONE needs a receive buffer as a Call does, so those
// that are still due count.
Outcome check_dones_beyond_grant(const flow::Message& message, Report& report) {
  if (!report.rfc5666()) {
    return Outcome::not_applicable;
  }
  const flow::CreditAccount& credits = message.standing->credits;
  if (credits.owed_dones == 0) {
    return Outcome::not_applicable;
  }
  if (!credits.most_granted || credits.outstanding != credits.certain) {
    return Outcome::undecided;
  }
  const uint32_t granted = credits.most_granted->value;
  if (credits.certain <= granted && credits.certain + credits.owed_dones > granted) {
    report("{} Call{} outstanding and {} RDMA_DONE{} due, but {} {} granted", credits.certain,
           credits.certain == 1 ? " is" : "s are", credits.owed_dones,
           credits.owed_dones == 1 ? " is" : "s are", granted, granted == 1 ? "is" : "are")
        .with(credits.most_granted->at);
  }
  return Outcome::done;
}

// RFC 5666 §3.8, §11: who is granted less cannot send them all. A server may count them against the grant
// while it keeps back a Reply that brings the next one; CRD-01 has a grant of zero where it does not.
Outcome check_grant_below_dones(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!report.rfc5666()) {
    return Outcome::not_applicable;
  }
  const flow::CreditAccount& credits = message.standing->credits;
  const uint32_t due = credits.owed_dones + (h.chunks.reads.empty() ? 0 : 1);
  const uint32_t answered = message.standing->open != nullptr ? 1 : 0;
  if (due == 0 || h.credit == 0 || credits.outstanding > answered) {
    return Outcome::not_applicable;
  }
  if (!message.standing->known || message.bytes.size() < 12) {
    return Outcome::undecided;
  }
  if (h.credit < due) {
    report("Reply grants {}, but its receiver still owes {} RDMA_DONEs", base::counted(h.credit, "credit"),
           due)
        .in(field::credit);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule zero_grant = {
    .id = "CRD-01",
    .name = "zero-credit-grant",
    .source = {"RFC 8166", "3.3.1"},
    .also = "rfc5666",
    .about = kinds::replies | kinds::errors | kinds::optionals,
    .message = check_zero_grant,
    .plain_message = plain::kept,
};

constinit const Rule calls_before_grant = {
    .id = "CRD-02",
    .name = "calls-before-first-grant",
    .source = {"RFC 8166", "3.3.3"},
    .also = "rfc5666,rfc8167,version-two-02",
    .needs = needs_setup | needs_both_ways | needs_no_loss,
    .about = kinds::calls | kinds::optionals,
    .message = check_calls_before_grant,
    .plain_message = plain::never,
};

constinit const Rule credit_overrun = {
    .id = "CRD-03",
    .name = "credit-overrun",
    .source = {"RFC 8166", "3.3.1"},
    .also = "rfc5666,rfc8167",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls | kinds::optionals,
    .message = check_credit_overrun,
};

constinit const Rule zero_request = {
    .id = "CRD-04",
    .name = "zero-credit-request",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.3.1"},
    .about = kinds::calls | kinds::optionals,
    .message = check_zero_request,
    .plain_message = plain::kept,
};

constinit const Rule dones_beyond_grant = {
    .id = "CRD-05",
    .name = "dones-beyond-grant",
    .source = {"RFC 5666", "3.8"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls & kinds::version_one,
    .message = check_dones_beyond_grant,
    .plain_message = plain::never,
};

constinit const Rule grant_below_dones = {
    .id = "CRD-06",
    .name = "grant-below-dones",
    .severity = Severity::warning,
    .source = {"RFC 5666", "3.8"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::replies & kinds::version_one,
    .message = check_grant_below_dones,
    .plain_message = plain::never,
};

}  // namespace steertag::rules
