// A Reply and the header of the Call that it answers, for rules that compare the
// two. An RDMA_ERROR is no Reply here: it returns nothing that its Call advertised.
// Borrowed from the message at hand; good until the check returns.
#pragma once

#include "flow/message.h"
#include "rules/reading.h"
#include "rules/rule.h"

namespace steertag::rules {

struct Answers {
  Outcome outcome = Outcome::done;  // otherwise there is nothing to compare: what the check is to return
  const flow::Exchange* open = nullptr;
  const flow::KeptMessage* call = nullptr;
};

// undecided: the Reply cannot be tied to one Call for certain, or either of the
// headers was not captured whole. not_applicable: no Reply, a Call that was not
// captured, or a header that its sender left broken.
inline Answers answers(const flow::Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (message.direction != flow::Direction::reply || !h.conveys_rpc()) {
    return {Outcome::not_applicable};
  }
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || open->call_message.header.version != h.version ||
      !open->call_message.header.conveys_rpc()) {
    return {Outcome::not_applicable};
  }
  for (const rpcrdma::Decoded* header : {&message.decoded, &open->call_message.decoded}) {
    if (const Outcome outcome = whole(*header); outcome != Outcome::done) {
      return {outcome};
    }
  }
  // A Call that was sent again may have been answered in its first form.
  if (open->resent != 0 || !open->call_message.kept) {
    return {Outcome::undecided};
  }
  return {Outcome::done, open, &open->call_message};
}

// A check of a message and of what `find` knows of its RPC. Where that has another outcome than done, there
// is nothing to check.
template <auto find, auto check>
Outcome given(const flow::Message& message, Report& report) {
  const auto found = find(message);
  return found.outcome == Outcome::done ? check(message, found, report) : found.outcome;
}

}  // namespace steertag::rules
