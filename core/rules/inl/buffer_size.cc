// How an end may change the size of its receive buffers on an open connection.

#include <algorithm>

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using rpcrdma::xchar::Id;
using rpcrdma::xchar::Operation;

// The smallest RBSIZ that `sender` asks its peer for and that is not settled.
const flow::Term* smaller_asked(const history::Terms& sender, const history::Terms& peer, const Stamp*& at) {
  const flow::Term* least = nullptr;
  const auto consider = [&](const flow::Term& term, const Stamp& asked) {
    if (term.which == Id::rbsiz && term.number && (least == nullptr || *term.number < *least->number)) {
      least = &term;
      at = &asked;
    }
  };
  for (const history::Asked& asked : sender.asked) {
    for (const flow::Term& term : asked.want) {
      consider(term, asked.at);
    }
  }
  for (const history::Pended& pended : peer.owed) {
    if (pended.certain) {
      consider(pended, pended.asked);
    }
  }
  return least;
}

// The least RBSIZ that `peer` asks of `owner`, also where it is not certain that this is still open; 0 where
// it cannot be made out.
std::optional<uint32_t> least_asked(const history::Terms& owner, const history::Terms& peer) {
  std::optional<uint32_t> least;
  const auto consider = [&](const flow::Term& term) {
    if (term.which == Id::rbsiz) {
      least = std::min(least.value_or(UINT32_MAX), term.number.value_or(0));
    }
  };
  std::for_each(owner.owed.begin(), owner.owed.end(), consider);
  for (const history::Asked& asked : peer.asked) {
    std::for_each(asked.want.begin(), asked.want.end(), consider);
    least = asked.whole ? least : 0;
  }
  return least;
}

// xcharext-02 §4.4: a pending change may end with the value that was in force when it was asked for.
bool back_to_old(const history::Terms& sender, uint32_t number) {
  return std::any_of(sender.owed.begin(), sender.owed.end(), [&](const history::Pended& pended) {
    return pended.which == Id::rbsiz && number >= pended.old.value_or(0);  // unset: it may be that
  });
}

Outcome check_initial_size(const rpcrdma::xchar::Init& init, Report& report) {
  Outcome outcome = Outcome::not_applicable;
  for (const rpcrdma::xchar::Value& v : init.start) {
    const std::optional<uint32_t> number = rpcrdma::xchar::value(v);
    if (v.which == Id::rbsiz && number) {
      outcome = Outcome::done;
      if (*number < rpcrdma::least_buffer_of_version_two) {
        report("INITXCH announces an XCHAR_RBSIZ of {}; version two requires {}", *number,
               rpcrdma::least_buffer_of_version_two)
            .in(v.at);
      }
    }
  }
  return outcome;
}

Outcome check_size_update(const flow::Message& message, const rpcrdma::xchar::Value& now, Report& report) {
  const std::optional<uint32_t> number = rpcrdma::xchar::value(now);
  if (now.which != Id::rbsiz || !number) {
    return Outcome::not_applicable;
  }
  const history::Terms& sender = terms_of_sender(message);
  const history::Terms& peer = terms_of_receiver(message);
  const history::Reported* reported = sender.find(Id::rbsiz);
  const uint32_t before =
      reported != nullptr && reported->number ? *reported->number : rpcrdma::least_buffer_of_version_two;
  const Stamp* asked_at = history::asked_for(sender, peer, Id::rbsiz);
  const std::optional<uint32_t> asked = least_asked(sender, peer);
  if (*number >= before || (asked && *number >= *asked)) {
    return Outcome::done;
  }
  if (peer.missed || peer.forgot || sender.forgot) {
    return Outcome::undecided;
  }
  auto entry =
      asked ? report("UPDXCH lowers XCHAR_RBSIZ from {} to {}, but {} is requested", before, *number, *asked)
            : report("UPDXCH lowers XCHAR_RBSIZ from {} to {} without a request", before, *number);
  entry.in(now.at);
  if (back_to_old(sender, *number)) {
    entry.at_most(Certainty::possible);
  }
  if (reported != nullptr) {
    entry.with(reported->at);
  }
  if (asked_at != nullptr) {
    entry.with(*asked_at);
  }
  return Outcome::done;
}

// An end that requests smaller buffers stays within them until the request is rejected.
Outcome check_asked_size(const flow::Message& message, Report& report) {
  const history::Terms& sender = terms_of_sender(message);
  const history::Terms& peer = terms_of_receiver(message);
  const Stamp* asked_at = nullptr;
  const flow::Term* asked = smaller_asked(sender, peer, asked_at);
  if (asked == nullptr) {
    return Outcome::not_applicable;
  }
  const history::Reported* reported = peer.find(Id::rbsiz);
  const uint32_t in_force =
      reported != nullptr && reported->number ? *reported->number : rpcrdma::least_buffer_of_version_two;
  if (*asked->number >= in_force) {
    return Outcome::not_applicable;
  }
  if (message.length > *asked->number) {
    report("Send of {} bytes by the end that is itself requesting an XCHAR_RBSIZ of {}", message.length,
           *asked->number)
        .with(*asked_at);
  }
  return Outcome::done;
}

Outcome check_buffer_size_change(const flow::Message& message, Report& report) {
  Outcome reported = Outcome::not_applicable;
  if (const rpcrdma::v2::Optional* body = optional_of(message); body != nullptr && !message.decoded.stop) {
    if (body->opttype == Operation::initxch) {
      reported = check_initial_size(body->init, report);
    } else if (body->opttype == Operation::updxch) {
      reported = check_size_update(message, body->update.now, report);
    }
  }
  const Outcome sent = check_asked_size(message, report);
  return reported == Outcome::undecided || sent == Outcome::not_applicable ? reported : sent;
}

}  // namespace

constinit const Rule buffer_size_change = {
    .id = "INL-05",
    .name = "unsafe-buffer-size-change",
    .severity = Severity::warning,
    .source = {"xcharext-02", "3.1"},
    .also = "version-two-02",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::version_two,
    .message = check_buffer_size_change,
};

}  // namespace steertag::rules
