#include "history/characteristics.h"

#include <algorithm>

namespace steertag::history {

using rdma::Side;

namespace {

// `list`: of `owner`.
template <typename T>
T& keep(Terms& owner, std::vector<T>& list, T made) {
  owner.forgot |= Terms::keep_latest(list, std::move(made));
  return list.back();
}

template <typename T>
void drop_xid(std::vector<T>& list, uint32_t xid) {
  std::erase_if(list, [&](const T& x) { return x.xid == xid; });
}

enum class Cause : uint8_t { itself, request };  // request: the peer had asked for the value

Reported& report(Terms& owner, const Term& term, const Stamp& at, xchar::Operation by, Cause cause) {
  owner.log({term, at, by});
  const auto found = std::find_if(owner.reported.begin(), owner.reported.end(),
                                  [&](const Reported& t) { return t.which == term.which; });
  Reported made{term, at, {}, cause == Cause::request, 0, {}};
  if (found == owner.reported.end()) {
    return keep(owner, owner.reported, made);
  }
  made.nochg = found->nochg;
  made.earlier = owner.relied_on(*found);
  made.before = Reported::Before{*found, found->at, found->solicited};
  return *found = made;
}

// The peer has rejected what was reported at `at`: it knows nothing of it.
void withdraw(Terms& owner, const Stamp& at) {
  for (Reported& reported : owner.reported) {
    if (reported.nochg == at) {
      reported.nochg.reset();
    }
    if (reported.before && reported.before->at == at) {
      reported.before.reset();
    }
    if (reported.at == at && reported.before) {
      const Reported::Before before = *reported.before;
      reported = Reported{before.term, before.at, reported.nochg, before.solicited, reported.earlier, {}};
    }
  }
  std::erase_if(owner.reported, [&](const Reported& reported) { return reported.at == at; });
  std::erase_if(owner.conveyed, [&](const Conveyed& conveyed) { return conveyed.at == at; });
}

}  // namespace

void Characteristics::note(const Message& message, bool agreed) {
  Terms& sender = end(message.from);
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.is(rpcrdma::v2::Proc::optional) && !h.optional.empty()) {
    note_optional(message);
    ++sender.optionals;
  } else if (h.is(rpcrdma::v2::Proc::optional) && message.decoded.stop) {
    note_gap(message.from);  // it may have reported anything
  } else if (h.is_error()) {
    note_error(message);
  }
  if (message.direction == Direction::reply && (conveys_rpc(message) || unknown_option(message))) {
    note_answer(message);
  }
  if (const std::optional<Aside> aside = aside_of(message)) {
    keep(sender, sender.asides, *aside);
    // A hole in front of the request held it back past its answer: no value of that answer was taken.
    if (end(rdma::other(message.from)).take_early(aside->xid)) {
      note_gap(rdma::other(message.from));
    }
  }
  sender.settled += agreed ? 1 : 0;
}

void Characteristics::note_heard(Side side, const Stamp& at) {
  std::optional<Stamp>& heard = end(side).heard;
  if (!heard || captured_before(*heard, at)) {
    heard = at;
  }
}

// What `from` said is unknown: values it reported, answers it gave.
void Characteristics::note_gap(Side from) {
  Terms& silent = end(from);
  Terms& peer = end(rdma::other(from));
  silent.missed = true;
  for (Pended& pended : silent.owed) {
    pended.certain = false;
  }
  for (Asked& asked : peer.asked) {
    asked.certain = false;
  }
  for (Aside& aside : peer.asides) {
    aside.certain = false;
  }
}

void Characteristics::note_optional(const Message& message) {
  const rpcrdma::v2::Optional& body = message.header->optional[0];
  Terms& sender = end(message.from);
  const size_t place = static_cast<size_t>(body.opttype) - 1;
  if (place < sender.first.size() && !sender.first[place]) {
    sender.first[place] = message.at;
  }
  const bool whole = !message.decoded.stop;
  if (!whole && message.decoded.stop->limit == wire::Limit::capture) {
    note_gap(message.from);  // what it reported is as unknown as if it were missing
  }
  if (!whole && body.opttype != xchar::Operation::reqxch) {
    return;  // a receiver can take no value from it either, or it was not captured
  }
  switch (body.opttype) {
    case xchar::Operation::initxch:
      return note_init(body.init, message.at, sender);
    case xchar::Operation::reqxch: {
      Asked made{message.header->xid, message.at, {}, {}, body.request.want.size(), whole, true};
      for (size_t i = 0; i < std::min(made.elements, Terms::kMaxTerms); ++i) {
        const Reported* reported = of(rdma::other(message.from)).find(body.request.want[i].which);
        made.want.push_back(term_of(body.request.want[i]));
        made.old.push_back(reported != nullptr ? reported->number : std::nullopt);
      }
      drop_xid(sender.asked, made.xid);
      keep(sender, sender.asked, std::move(made));
      return;
    }
    case xchar::Operation::respxch:
      return note_response(message, body.response);
    case xchar::Operation::updxch:
      return note_update(message, body.update);
  }
}

void Characteristics::note_init(const xchar::Init& init, const Stamp& at, Terms& sender) {
  if (!sender.first_init) {
    sender.first_init = at;
  }
  for (size_t i = 0; i < init.start.size(); ++i) {
    const Term term = term_of(init.start[i]);
    Reported& reported = report(sender, term, at, xchar::Operation::initxch, Cause::itself);
    if (init.nochg.has(i)) {
      reported.nochg = at;
    }
  }
}

void Characteristics::note_response(const Message& message, const xchar::Response& response) {
  Terms& sender = end(message.from);
  Terms& peer = end(rdma::other(message.from));
  const uint32_t xid = message.header->xid;
  for (Aside& aside : peer.asides) {
    if (aside.xid == xid && aside.opttype == xchar::Operation::reqxch) {
      aside.answer = message.at;
    }
  }
  const Asked* asked = peer.find_asked(xid);
  if (asked == nullptr) {
    sender.note_early(xid);
    return;
  }
  note_heard(rdma::other(message.from), asked->at);
  for (size_t i = 0; i < asked->want.size(); ++i) {
    if (response.done.has(i)) {
      report(sender, asked->want[i], message.at, xchar::Operation::respxch, Cause::request);
    } else if (response.pend.has(i)) {
      keep(sender, sender.owed, Pended{asked->want[i], asked->old[i], asked->at, message.at, true});
    }
  }
  drop_xid(peer.asked, xid);
}

void Characteristics::note_update(const Message& message, const xchar::Update& update) {
  Terms& sender = end(message.from);
  const Term term = term_of(update.now);
  const bool asked = asked_for(sender, end(rdma::other(message.from)), term.which) != nullptr;
  report(sender, term, message.at, xchar::Operation::updxch, asked ? Cause::request : Cause::itself);
  if (update.pendclr == rpcrdma::XdrBool::yes) {
    sender.settle(term);
  }
}

void Characteristics::note_error(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  Terms& peer = end(rdma::other(message.from));
  const bool rejects = h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::inval_option;
  const auto found = std::find_if(peer.asides.rbegin(), peer.asides.rend(),
                                  [&](const Aside& a) { return a.xid == h.xid && !a.error && !a.answer; });
  if (found != peer.asides.rend()) {
    found->error = message.at;
    found->code = h.error_v2 ? h.error_code() : std::nullopt;
    note_heard(rdma::other(message.from), found->at);
    if (rejects && found->opttype) {
      keep(end(message.from), end(message.from).rejected, Rejected{*found->opttype, found->at, message.at});
    }
    withdraw(peer, found->at);  // whatever the error, nothing was taken of it
  } else if (message.standing->open == nullptr) {
    end(message.from).note_early(h.xid);
  }
  drop_xid(peer.asked, h.xid);
}

// Whatever an unknown extension has asked for: who answers knows it.
void Characteristics::note_answer(const Message& message) {
  for (Aside& aside : end(rdma::other(message.from)).asides) {
    if (aside.foreign && aside.xid == message.header->xid && !aside.answer) {
      aside.answer = message.at;
      note_heard(rdma::other(message.from), aside.at);
    }
  }
}

const Aside* Characteristics::find_unknown(Side side, uint32_t xid) const {
  const std::vector<Aside>& asides = of(side).asides;
  const auto found =
      std::find_if(asides.rbegin(), asides.rend(), [&](const Aside& a) { return a.xid == xid && a.foreign; });
  return found == asides.rend() ? nullptr : &*found;
}

const Aside* Characteristics::find_aside(Side side, uint32_t xid, bool answered) const {
  const std::vector<Aside>& asides = of(side).asides;
  const auto found = std::find_if(asides.rbegin(), asides.rend(), [&](const Aside& a) {
    return a.xid == xid && (a.answer || a.error) == answered;
  });
  return found == asides.rend() ? nullptr : &*found;
}

}  // namespace steertag::history
