// What RDMA_MSGP says of its pad, and where the pad is (RFC 5666 §3.9).

#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Reason;

// Nothing was hidden from the walk, nor is it a program that is not known.
Outcome followed_to_its_end(const nfs::Walk* walk) {
  const bool known = walk != nullptr && (walk->complete() || walk->reason == Reason::ambiguous);
  return known ? Outcome::done : Outcome::undecided;
}

Outcome judge_pad(const flow::KeptMessage& leg, const nfs::Walk* walk, bool padded, const char* what,
                  const flow::Exchange& exchange, bool call, Report& report) {
  if (const Outcome outcome = legible(leg); outcome != Outcome::done) {
    return outcome;
  }
  if (!padded && leg.payload_whole) {
    const rpcrdma::v1::Padding padding = leg.header.padding.value_or(rpcrdma::v1::Padding{});
    auto entry = report(
        "RDMA_MSGP {} does not end where it must with a pad according to rdma_align {} and rdma_thresh {}",
        what, padding.align, padding.thresh);
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
  UpperLayer& upper = report.upper_layer();
  const bool call = exchange.call_message.kept && exchange.call_message.header.padding;
  const bool reply = exchange.reply_message.kept && exchange.reply_message.header.padding;
  const Outcome asked = call ? judge_pad(exchange.call_message, upper.call(), upper.call_padded(), "Call",
                                         exchange, true, report)
                             : Outcome::not_applicable;
  const Outcome answered = reply ? judge_pad(exchange.reply_message, upper.reply(), upper.reply_padded(),
                                             "Reply", exchange, false, report)
                                 : Outcome::not_applicable;
  return asked == Outcome::not_applicable || answered == Outcome::undecided ? answered : asked;
}

}  // namespace

constinit const Rule misplaced_pad = {
    .id = "PAY-09",
    .name = "misplaced-pad",
    .source = {"RFC 5666", "3.9"},
    .requirement = "The pad inside an RDMA_MSGP is where rdma_align and rdma_thresh say",
    .why = "The receiver finds the pad by these two: otherwise it takes data for pad, or pad for data",
    .exchange = check_misplaced_pad,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
