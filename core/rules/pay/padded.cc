// What RDMA_MSGP says of its pad, and where the pad is (RFC 5666 §3.9).

#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Reason;

// Nothing was hidden from the walk, nor is it a program that is not known.
Outcome followed_to_its_end(const nfs::Walk* walk) {
  const bool known = walk != nullptr && (walk->complete() || walk->reason == Reason::ambiguous);
  return known ? Outcome::done : Outcome::undecided;
}

Outcome judge_pad(const flow::Exchange& exchange, bool call, Report& report) {
  const flow::KeptMessage& leg = call ? exchange.call_message : exchange.reply_message;
  if (!leg.kept || !leg.header.padding) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(leg); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const nfs::Walk* walk = call ? static_cast<const nfs::Walk*>(upper.call()) : upper.reply();
  if (leg.payload_whole && !(call ? upper.call_padded() : upper.reply_padded())) {
    auto entry = report(
        "RDMA_MSGP {} does not end where it must with a pad according to rdma_align {} and rdma_thresh {}",
        call ? "Call" : "Reply", leg.header.padding->align, leg.header.padding->thresh);
    entry.at_most(Certainty::likely);
    if (call) {
      entry.of_call(exchange);
    }
    return Outcome::done;
  }
  return followed_to_its_end(walk);
}

Outcome check_misplaced_pad(const flow::Exchange& exchange, Report& report) {
  if (!report.rfc5666()) {
    return Outcome::not_applicable;
  }
  const Outcome asked = judge_pad(exchange, true, report);
  return of_both_legs(asked, judge_pad(exchange, false, report));
}

}  // namespace

constinit const Rule misplaced_pad = {
    .id = "PAY-09",
    .name = "misplaced-pad",
    .source = {"RFC 5666", "3.9"},
    .exchange = check_misplaced_pad,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
