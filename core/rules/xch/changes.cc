// When values may be conveyed and changed.

#include <algorithm>
#include <optional>
#include <utility>

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using xchar::Operation;

Outcome check_late_initxch(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = optional_of(message);
  if (body == nullptr || body->opttype != Operation::initxch) {
    return Outcome::not_applicable;
  }
  if (!message.standing->known) {
    return Outcome::undecided;
  }
  const history::Terms& sender = terms_of_sender(message);
  if (sender.first_init) {
    report("INITXCH is sent a second time").with(*sender.first_init);
    return Outcome::done;
  }
  if (sender.settled != 0 || sender.optionals != 0) {
    auto entry = report("INITXCH comes after other messages of its sender");
    if (message.standing->agreed) {
      entry.with(message.standing->agreed->at);
    }
  }
  // A client is held to this by a rule of its own, whatever it sends.
  const bool of_client = message.connection->client == message.from;
  if (!message.standing->agreed && !of_client && message.length > rpcrdma::default_inline_threshold) {
    report("INITXCH of {} bytes before the agreement on the version; only {} are sure to be received",
           message.length, rpcrdma::default_inline_threshold);
  }
  return Outcome::done;
}

// The least and the largest number that a request for `which` allows as its end: what it was when that was
// asked for, what it is, what was wanted. Unset where one of these was never conveyed, or is not a number.
std::optional<std::pair<uint32_t, uint32_t>> allowed_by_requests(const history::Terms& sender,
                                                                 const history::Terms& peer,
                                                                 xchar::Id which) {
  uint32_t least = UINT32_MAX, most = 0;
  bool known = true;
  const auto consider = [&](const std::optional<uint32_t>& value) {
    known &= value.has_value();
    least = std::min(least, value.value_or(least));
    most = std::max(most, value.value_or(most));
  };
  const auto consider_request = [&](const flow::Term& want, const std::optional<uint32_t>& old) {
    if (want.which == which) {
      consider(want.number);
      consider(old);
    }
  };
  const history::Reported* reported = sender.find(which);
  consider(reported != nullptr ? reported->number : std::nullopt);
  for (const history::Pended& pended : sender.owed) {
    consider_request(pended, pended.old);
  }
  for (const history::Asked& asked : peer.asked) {
    for (size_t i = 0; i < asked.want.size(); ++i) {
      consider_request(asked.want[i], asked.old[i]);
    }
  }
  return known ? std::optional(std::pair(least, most)) : std::nullopt;
}

// xcharext-02 §4.4: what is cleared becomes what was asked for, stays as it was, or is between. A size below
// all of these is lowered for nothing, of which another rule speaks.
Outcome judge_settled_value(const history::Terms& sender, const history::Terms& peer, const xchar::Value& now,
                            Report& report) {
  const std::optional<uint32_t> number = xchar::value(now);
  if (!number || !xchar::well_formed(now)) {
    return Outcome::done;
  }
  const auto allowed = allowed_by_requests(sender, peer, now.which);
  if (!allowed || sender.missed || peer.missed || peer.forgot || sender.forgot) {
    return Outcome::undecided;
  }
  const auto [least, most] = *allowed;
  if ((*number < least && now.which != xchar::Id::rbsiz) || *number > most) {
    report(
        "UPDXCH clears a request with an {} of {}, neither the old nor the requested value, nor between {} "
        "and {}",
        id_text(now.which), xchar::value_text(now.which, *number), xchar::value_text(now.which, least),
        xchar::value_text(now.which, most))
        .in(now.at)
        .severity(Severity::warning);
  }
  return Outcome::done;
}

Outcome check_unasked_pendclr(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = optional_of(message);
  if (body == nullptr || body->opttype != Operation::updxch || message.decoded.stop) {
    return Outcome::not_applicable;
  }
  if (body->update.pendclr != rpcrdma::XdrBool::yes) {
    return Outcome::not_applicable;
  }
  const history::Terms &sender = terms_of_sender(message), &peer = terms_of_receiver(message);
  if (history::asked_for(sender, peer, body->update.now.which) == nullptr) {
    if (peer.missed || peer.forgot || sender.forgot) {
      return Outcome::undecided;
    }
    report("UPDXCH has optupdxch_pendclr TRUE, but no request for {} is pending",
           id_text(body->update.now.which))
        .in(body->at);
    return Outcome::done;
  }
  return judge_settled_value(sender, peer, body->update.now, report);
}

// `term`: what the value becomes.
bool judge_change(const history::Terms& sender, const flow::Term& term, const rpcrdma::v2::Optional& body,
                  Report& report) {
  const history::Reported* reported = sender.find(term.which);
  if (reported == nullptr || !reported->nochg) {
    return false;
  }
  if (reported->digest != term.digest) {
    auto entry = reported->number && term.number
                     ? report("{} changes from {} to {}, although INITXCH said that it would not",
                              id_text(term.which), *reported->number, *term.number)
                     : report("{} changes, although INITXCH said that it would not", id_text(term.which));
    entry.in(body.at).with(*reported->nochg);
  }
  return true;
}

Outcome check_nochg_changed(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr || message.decoded.stop) {
    return Outcome::not_applicable;
  }
  const history::Terms& sender = terms_of_sender(message);
  bool judged = false;
  if (body->opttype == Operation::updxch) {
    judged = judge_change(sender, flow::term_of(body->update.now), *body, report);
  } else if (body->opttype == Operation::respxch) {
    const history::Asked* asked = terms_of_receiver(message).find_asked(message.header->xid);
    for (size_t i = 0; asked != nullptr && i < asked->want.size(); ++i) {
      if (body->response.done.has(i)) {
        judged |= judge_change(sender, asked->want[i], *body, report);
      }
    }
  }
  return judged ? Outcome::done : Outcome::not_applicable;
}

// What an end has to support, because it has sent `sent`; and that it has rejected it.
void judge_support(const history::Terms& end, Operation sent, Operation needed, Report& report) {
  if (const history::Rejected* rejected = end.find_rejected(needed)) {
    report("Sends {} although it has rejected {}", short_name(sent), short_name(needed)).with(rejected->at);
  }
}

Outcome check_sender_support(const flow::Message& message, const history::Terms& end, Operation sent,
                             Report& report) {
  if (sent == Operation::initxch) {
    return Outcome::not_applicable;
  }
  if (end.first_of(sent) != nullptr || message.decoded.stop) {
    return Outcome::done;  // its first such message was judged
  }
  if (sent == Operation::reqxch) {
    judge_support(end, sent, Operation::respxch, report);
    judge_support(end, sent, Operation::updxch, report);
  }
  // Directly for RESPXCH and UPDXCH, by way of both for REQXCH.
  judge_support(end, sent, Operation::initxch, report);
  return Outcome::done;
}

Outcome check_rejected_support(const flow::Message& message, const history::Terms& end, Report& report) {
  const history::Aside* aside = message.standing->aside;
  if (aside == nullptr || !aside->opttype || xchar::text(*aside->opttype).empty()) {
    return Outcome::not_applicable;
  }
  const Operation rejected = *aside->opttype;
  const auto judge = [&](Operation sent) {
    if (const Stamp* first = end.first_of(sent)) {
      report("Rejects {} although it sends {} itself", short_name(rejected), short_name(sent))
          .with(*first)
          .with(aside->at);
      return true;
    }
    return false;
  };
  if (rejected == Operation::respxch || rejected == Operation::updxch) {
    judge(Operation::reqxch);
  } else if (rejected == Operation::initxch && !judge(Operation::respxch) && !judge(Operation::updxch)) {
    judge(Operation::reqxch);
  }
  return Outcome::done;
}

Outcome check_support(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const rpcrdma::v2::Optional* body = xchar_of(message);
  const bool rejects = h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::inval_option;
  if (body == nullptr && !rejects) {
    return Outcome::not_applicable;
  }
  if (!message.standing->known) {
    return Outcome::undecided;
  }
  const history::Terms& end = terms_of_sender(message);
  return rejects ? check_rejected_support(message, end, report)
                 : check_sender_support(message, end, body->opttype, report);
}

}  // namespace

constinit const Rule late_initxch = {
    .id = "XCH-06",
    .name = "late-initxch",
    .severity = Severity::warning,
    .source = {"xcharext-02", "4.1"},
    .needs = needs_setup,
    .about = kinds::optionals,
    .message = check_late_initxch,
};

constinit const Rule unasked_pendclr = {
    .id = "XCH-11",
    .name = "pendclr-without-request",
    .source = {"xcharext-02", "4.4"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::optionals,
    .message = check_unasked_pendclr,
};

constinit const Rule nochg_changed = {
    .id = "XCH-12",
    .name = "unchanging-value-changed",
    .severity = Severity::warning,
    .source = {"xcharext-02", "4.1"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::optionals,
    .message = check_nochg_changed,
};

constinit const Rule extension_support = {
    .id = "XCH-13",
    .name = "half-supported-extension",
    .severity = Severity::warning,
    .source = {"xcharext-02", "4"},
    .also = "version-two-02",
    .needs = needs_both_ways,
    .about = kinds::errors | kinds::optionals,
    .message = check_support,
};

}  // namespace steertag::rules
