#include "rules/err/asides.h"

#include <fmt/core.h>

#include "rpcrdma/header.h"
#include "rules/reading.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using rpcrdma::v2::ErrorCode;

bool is_optional(const history::Aside& aside) {
  return aside.version == 2 && aside.procedure == static_cast<uint32_t>(rpcrdma::v2::Proc::optional);
}

// It conveys characteristics, of which xcharext-02 §2.1 wants errors to be reported whatever the direction.
bool has_values(const history::Aside& aside) {
  return aside.opttype == xchar::Operation::initxch || aside.opttype == xchar::Operation::updxch;
}

// What a client sends and cannot be decoded is followed as a Call.
bool followed_as_call(const Ending& ending, rdma::Side from, const history::Aside& aside) {
  return ending.connection->client == from && !is_optional(aside);
}

// Nothing has answered it, although something could have come: done; otherwise undecided.
Outcome unanswered(const Ending& ending, rdma::Side from, const history::Aside& aside) {
  const history::Terms& sender = ending.history->characteristics().of(from);
  const bool due = aside.certain && answer_was_due(ending, sender.was_heard(aside.at), aside.at);
  return due ? Outcome::done : Outcome::undecided;
}

std::string aside_name(const history::Aside& aside) {
  const std::string_view operation = aside.opttype ? xchar::text(*aside.opttype) : std::string_view();
  return operation.empty() ? rpcrdma::procedure_name(aside.version, aside.procedure) : std::string(operation);
}

// A RESPXCH answers it, although no receiver can read its header. Silence may be right: errors go to who
// asks, and it does not say whether it asks.
bool answered_as_if_sound(const history::Aside& aside) {
  return aside.misdirected && aside.answer && !aside.foreign && !aside.invalid;
}

// What the receiver of the aside did about it, in `frame` where it did anything, is at fault.
void blame_receiver(Report::Entry entry, rdma::Side from, const history::Aside& aside,
                    const std::optional<Stamp>& frame) {
  entry.at(frame.value_or(aside.at)).with(aside.at).of(aside.xid).blame(Blame::responder, rdma::other(from));
}

}  // namespace

Outcome check_broken_asides(const Ending& ending, Report& report) {
  return judge_asides(ending, [&](rdma::Side from, const history::Aside& aside) {
    if (aside.broken == nullptr && answered_as_if_sound(aside)) {
      blame_receiver(report("{} is answered as if it were sound, but {}; expected RDMA2_ERR_BAD_XDR",
                            aside_name(aside), fmt::format("its rdma_optdir is {}", *aside.misdirected)),
                     from, aside, aside.answer);
      return Outcome::done;
    }
    if (aside.broken == nullptr || aside.version != 2 || aside.length < kLeastMessage ||
        !rpcrdma::procedure_exists(2, aside.procedure) || followed_as_call(ending, from, aside)) {
      return Outcome::not_applicable;
    }
    if (aside.error) {
      return Outcome::done;
    }
    if (aside.answer) {
      blame_receiver(
          report("{} is answered as if it were readable, but it ends inside {}; expected RDMA2_ERR_BAD_XDR",
                 aside_name(aside), aside.broken),
          from, aside, aside.answer);
      return Outcome::done;
    }
    if (is_answer(aside) && !has_values(aside)) {
      return Outcome::not_applicable;
    }
    const Outcome outcome = unanswered(ending, from, aside);
    if (outcome == Outcome::done) {
      blame_receiver(report("No RDMA2_ERROR answers {} that ends inside {}", aside_name(aside), aside.broken)
                         .at_most(is_answer(aside) ? Certainty::possible : Certainty::definite),
                     from, aside, std::nullopt);
    }
    return outcome;
  });
}

Outcome check_invalid_value_taken(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  const bool answers = body != nullptr && body->opttype == xchar::Operation::respxch && !message.decoded.stop;
  const history::Asked* asked =
      answers ? terms_of_receiver(message).find_asked(message.header->xid) : nullptr;
  if (asked == nullptr || !asked->whole) {
    return Outcome::not_applicable;
  }
  Outcome outcome = Outcome::not_applicable;
  for (size_t i = 0; i < asked->want.size(); ++i) {
    if (asked->want[i].valid) {
      continue;
    }
    outcome = Outcome::done;
    if (body->response.done.has(i) || body->response.pend.has(i)) {
      report("RESPXCH accepts element {}, whose data is not a value of {}; expected RDMA2_ERR_BAD_XDR", i,
             id_text(asked->want[i].which))
          .in(body->at)
          .with(asked->at);
    }
  }
  return outcome;
}

Outcome check_unknown_asides(const Ending& ending, Report& report) {
  return judge_asides(ending, [&](rdma::Side from, const history::Aside& aside) {
    if (aside.version != 2 || rpcrdma::procedure_exists(2, aside.procedure) ||
        aside.length < rpcrdma::fixed_header_length || followed_as_call(ending, from, aside)) {
      return Outcome::not_applicable;
    }
    if (!aside.error) {
      const Outcome outcome = unanswered(ending, from, aside);
      if (outcome == Outcome::done) {
        blame_receiver(report("No RDMA2_ERR_INVAL_PROC answers rdma_proc {}", aside.procedure), from, aside,
                       std::nullopt);
      }
      return outcome;
    }
    if (!aside.code) {
      return Outcome::undecided;
    }
    const auto code = static_cast<ErrorCode>(*aside.code);
    if (code != ErrorCode::inval_proc && code != ErrorCode::vers) {
      blame_receiver(report("rdma_proc {} is answered by {}, expected RDMA2_ERR_INVAL_PROC", aside.procedure,
                            rpcrdma::error_name(2, *aside.code)),
                     from, aside, aside.error);
    }
    return Outcome::done;
  });
}

}  // namespace steertag::rules
