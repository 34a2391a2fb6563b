// Extensions that their receiver does not support, and what it says to them.

#include <algorithm>

#include "history/characteristics.h"
#include "rules/ending.h"
#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

// Of an opttype that it does not support a receiver knows nothing but that; and an operation of ours in which
// nothing is wrong gives no cause for another error either. Where rdma_optdir has no meaning, no receiver can
// read the header: BAD_XDR is right, whatever its opttype (version-two-02 §5.2.4).
Outcome check_rejection_code(const flow::Message& message, Report& report) {
  const auto& error = message.header->error_v2;
  const history::Aside* aside = message.standing->aside;
  const bool judged = error && error->code == rpcrdma::v2::ErrorCode::bad_xdr && aside != nullptr &&
                      aside->opttype && aside->broken == nullptr && !aside->misdirected && !aside->unknown &&
                      !aside->invalid;
  // A RESPXCH has the XID of what the other end requests; a Call of its own sender may have the same one.
  const bool of_call =
      judged && message.standing->open != nullptr && aside->opttype == rpcrdma::xchar::Operation::respxch;
  if (!judged || of_call) {
    return Outcome::not_applicable;
  }
  const history::Rejected* rejected = terms_of_sender(message).find_rejected(*aside->opttype);
  if (rejected == nullptr && !aside->sound) {
    return Outcome::undecided;  // what an extension that is not known here holds may well be wrong
  }
  auto entry =
      report("opttype {} is answered by RDMA2_ERR_BAD_XDR, {}", static_cast<uint32_t>(*aside->opttype),
             rejected != nullptr ? "although this end rejected it before with RDMA2_ERR_INVAL_OPTION"
                                 : "expected RDMA2_ERR_INVAL_OPTION if it is not supported");
  entry.in(field::error).with(aside->at).severity(Severity::error);
  if (rejected != nullptr) {
    entry.with(rejected->at);
  }
  return Outcome::done;
}

bool sends(const history::Terms& end, rpcrdma::xchar::Operation opttype) {
  return std::any_of(end.asides.begin(), end.asides.end(),
                     [&](const history::Aside& aside) { return aside.opttype == opttype && !aside.error; });
}

Outcome judge_option(const Ending& ending, rdma::Side from, const history::Aside& aside, Report& report) {
  const history::Terms& sender = ending.history->characteristics().of(from);
  const history::Rejected* rejected =
      ending.history->characteristics().of(rdma::other(from)).find_rejected(*aside.opttype);
  const bool known = !rpcrdma::xchar::text(*aside.opttype).empty();
  const bool unsupported = rejected != nullptr && captured_before(rejected->at, aside.at);
  // Parts of a message have no answer, and who sends an opttype takes it, too.
  const bool silent =
      aside.payload || sends(ending.history->characteristics().of(rdma::other(from)), *aside.opttype);
  if (aside.error || aside.answer || is_answer(aside) || (known && rejected == nullptr) ||
      (silent && !unsupported)) {
    return Outcome::done;
  }
  if (!aside.certain || !answer_was_due(ending, sender.was_heard(aside.at), aside.at)) {
    return Outcome::undecided;
  }
  if (unsupported) {
    report("No RDMA2_ERR_INVAL_OPTION answers opttype {}, which this end rejected before",
           static_cast<uint32_t>(*aside.opttype))
        .at(aside.at)
        .with(rejected->at)
        .severity(Severity::error)
        .of(aside.xid)
        .blame(Blame::responder, rdma::other(from));
  } else {
    report("No answer to opttype {}, expected RDMA2_ERR_INVAL_OPTION if it is not supported",
           static_cast<uint32_t>(*aside.opttype))
        .at(aside.at)
        .at_most(Certainty::possible)
        .of(aside.xid)
        .blame(Blame::responder, rdma::other(from));
  }
  return Outcome::done;
}

Outcome check_option_ignored(const Ending& ending, Report& report) {
  return judge_asides(ending, [&](rdma::Side from, const history::Aside& aside) {
    return aside.opttype ? judge_option(ending, from, aside, report) : Outcome::not_applicable;
  });
}

}  // namespace

constinit const Rule option_ignored = {
    .id = "ERR-06",
    .name = "unsupported-option-ignored",
    .severity = Severity::warning,
    .source = {"version-two-02", "5.2.4"},
    .also = "xcharext-02",
    .needs = needs_both_ways,
    .about = kinds::errors & kinds::version_two,
    .message = check_rejection_code,
    .ending = check_option_ignored,
};

}  // namespace steertag::rules
