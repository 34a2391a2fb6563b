#include "flow/history.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// A Requester has a Reply in hand at the latest this long after it passed the tap;
// or, where the way to it is longer than that, after the time that the setup took.
constexpr int64_t kFlightNs = 1'000'000;
constexpr int64_t kLongestFlightNs = 200'000'000;

bool is_optional(const rpcrdma::TransportHeader& h, xchar::Operation opttype) {
  return h.is(rpcrdma::v2::Proc::optional) && !h.optional.empty() && h.optional[0].opttype == opttype;
}

// A Call inline whose program was not captured.
bool program_cut(const Message& message) {
  const bool call = message.direction == Direction::call && message.rpc == nullptr;
  return call && !message.header->is_error() && message.bytes.size() < message.length;
}

}  // namespace

// Whose Calls this message has to do with: a Reply's receiver's.
Side History::requester_of(const Message& message) {
  return message.direction == Direction::reply ? rdma::other(message.from) : message.from;
}

int64_t History::window_ns(const End& end) const {
  const int64_t latency_ns = end.least_latency_ns == INT64_MAX ? 0 : end.least_latency_ns;
  return std::max(latency_ns, flight_ns());
}

int64_t History::flight_ns() const {
  return std::max(kFlightNs, setup_ns_);
}

std::optional<uint32_t> History::inline_threshold(Side from) const {
  if (!connection_.setup_seen()) {
    return std::nullopt;
  }
  const rpcrdma::PrivateData& sender = connection_.end(from).private_data;
  const rpcrdma::PrivateData& receiver = connection_.end(rdma::other(from)).private_data;
  if (!sender.usable() || !receiver.usable()) {
    return rpcrdma::default_inline_threshold;
  }
  return std::min({std::max(sender.send_size, rpcrdma::default_inline_threshold),
                   std::max(receiver.receive_size, rpcrdma::default_inline_threshold),
                   rpcrdma::largest_inline_threshold});
}

bool History::answered(Side requester, uint32_t xid) const {
  const std::deque<Answered>& answered = ends_[rdma::index(requester)].answered;
  return std::any_of(answered.begin(), answered.end(), [&](const Answered& a) { return a.xid == xid; });
}

// RFC 5666 §6.2: sizes of RPC messages, which the transport header comes on top of. Who follows RFC 8166 may
// not know CONF_RDMA, so here it only ever allows more.
std::optional<uint32_t> History::configured_limit(const Message& message,
                                                  std::optional<uint32_t> by_setup) const {
  const std::optional<Configured>& receiver = configured(rdma::other(message.from));
  if (!by_setup || !receiver) {
    return by_setup;
  }
  if (!receiver->takes || message.decoded.stop) {
    return std::nullopt;
  }
  const uint64_t bytes = uint64_t{*receiver->takes} + message.decoded.header_length;
  return std::max(*by_setup, static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)));
}

// A raise counts as soon as it is told; a missing message may have told one.
std::optional<uint32_t> History::send_limit(const Message& message, std::optional<uint32_t> by_setup) const {
  if (message.header->version != 2) {
    return configured_limit(message, by_setup);
  }
  const Terms& receiver = characteristics_.of(rdma::other(message.from));
  const bool agreed = (agreed_ && agreed_->value == 2) || message.direction == Direction::reply;
  if (!by_setup || !agreed || receiver.missed) {
    return std::nullopt;
  }
  const Told* conveyed = receiver.find(xchar::Id::rbsiz);
  return std::max({rpcrdma::least_buffer_of_version_two, *by_setup,
                   conveyed != nullptr ? receiver.relied_on(*conveyed) : 0});
}

const Standing& History::before(const Message& message) {
  const Side requester = requester_of(message);
  End& account = end(requester);
  const uint32_t xid = message.header->xid;
  Standing& s = standing_;
  s.known = true;
  s.open = exchanges_.find_open(requester, xid);
  const bool error = message.header->is_error();
  s.own = error ? exchanges_.find_open(message.from, xid) : nullptr;
  s.aside = error ? characteristics_.find_aside(requester, xid, false) : nullptr;
  s.answered_aside = error ? characteristics_.find_aside(requester, xid, true) : nullptr;
  s.completed.reset();
  s.owed = false;
  s.awaited = exchanges_.find_open(rdma::other(message.from), xid);
  s.calls_forgotten = exchanges_.outstanding().forgot(requester);
  s.extension = conveys_rpc(message) ? characteristics_.find_unknown(requester, xid) : nullptr;
  const bool done = message.header->is(rpcrdma::v1::Proc::done);
  if (s.open == nullptr && (message.direction == Direction::reply || done)) {
    const auto found = std::find_if(account.answered.rbegin(), account.answered.rend(),
                                    [&](const Answered& a) { return a.xid == xid; });
    s.owed = found != account.answered.rend() && found->owed != 0;
    const bool of_aside =
        s.aside != nullptr || (s.answered_aside != nullptr && found != account.answered.rend() &&
                               !(s.answered_aside->at == found->completion.call));
    if (found != account.answered.rend() && !s.owed && !of_aside) {
      s.completed = found->completion;
    }
  }
  s.refusal = message.direction == Direction::call ? account.refusals.find(message) : nullptr;

  // Of the OPTIONAL messages only REQXCH is answered.
  const std::vector<Asked>& asked = characteristics_.of(requester).asked;
  const bool counts = !message.header->is(rpcrdma::v2::Proc::optional) || conveys_rpc(message) ||
                      (is_optional(*message.header, xchar::Operation::reqxch) &&
                       characteristics_.of(requester).find_asked(xid) == nullptr);
  const uint32_t adds = message.direction == Direction::call && s.open == nullptr && counts ? 1 : 0;
  s.credits.outstanding =
      exchanges_.outstanding().open(requester) + static_cast<uint32_t>(asked.size()) + adds;
  s.credits.certain = exchanges_.outstanding().certain(requester) + adds +
                      static_cast<uint32_t>(std::count_if(asked.begin(), asked.end(),
                                                          [](const Asked& a) { return a.certain; }));
  s.credits.owed_dones = static_cast<uint32_t>(account.owed_dones.size());
  s.credits.most_granted = account.grants.most(message.at.time_ns, window_ns(account));
  s.credits.requested = account.requested;
  s.credits.any_grant = account.any_grant;
  s.agreed = agreed_;
  s.agreed_known = agreed_ && (message.from == agreed_by_ || knew(message, agreed_heard_));
  s.refused = account.refused;
  s.refused_known = message.from == requester && knew(message, account.refused_heard);
  s.ordinal = end(message.from).messages + 1;
  s.callbacks = callbacks_.state(connection_);
  s.back_channel = callbacks_.sizes(connection_);
  s.inline_threshold = inline_threshold(message.from);
  s.send_limit = send_limit(message, s.inline_threshold);
  s.configured = configured(rdma::other(message.from));
  s.may_be_configured = may_be_configured_;
  s.oversized_before = complained_ ? 0 : end(message.from).oversized;
  s.invalidated_before = end(message.from).invalidated;
  s.overlap.reset();
  s.also_offers = nullptr;
  s.rescinds = nullptr;
  s.rescinded_before.reset();
  if (message.direction == Direction::call) {
    s.overlap = find_overlap(advertised_, message);
    const uint32_t named = message.header->inv_handle.value_or(0);
    const Exchange* offers = named != 0 ? find_offer(advertised_, message.from, named) : nullptr;
    s.also_offers = offers != nullptr && offers->xid != xid ? offers : nullptr;
  }
  if (message.send_invalidate) {
    const Side owner = rdma::other(message.from);
    s.rescinds = find_offer(advertised_, owner, message.invalidated);
    s.rescinded_before = find_rescinded(advertised_, owner, message.invalidated);
  }
  s.characteristics = &characteristics_;
  return s;
}

void History::note_acknowledged(Side by, const Stamp& at) {
  if (agreed_ && !agreed_heard_ && by != agreed_by_) {
    agreed_heard_ = at;
  }
  End& receiver = end(by);
  if (receiver.refused && !receiver.refused_heard) {
    receiver.refused_heard = at;
  }
}

// Whether the sender of `message` had acknowledged something before, at `heard`.
bool History::knew(const Message& message, const std::optional<Stamp>& heard) {
  return heard && captured_before(*heard, message.frames.front());
}

std::optional<Stamp> History::newest_served() const {
  const std::optional<Stamp>& a = characteristics_.of(Side::a).heard;
  const std::optional<Stamp>& b = characteristics_.of(Side::b).heard;
  return !a || (b && captured_before(*a, *b)) ? b : a;
}

void History::note(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (connection_.setup_seen() && ends_[0].messages + ends_[1].messages == 0) {
    setup_ns_ = std::min(kLongestFlightNs, message.at.time_ns - connection_.first_frame.time_ns);
  }
  const bool agreed = agreed_.has_value();
  ++end(message.from).messages;
  end(message.from).invalidated |= message.send_invalidate;
  const std::optional<uint32_t> limit = send_limit(message, inline_threshold(message.from));
  end(message.from).oversized += limit && message.length > *limit ? 1 : 0;
  callbacks_.note(message);
  if (message.conf_rdma) {
    note_configuration(message);
  }
  may_be_configured_ |= program_cut(message);
  End& account = end(requester_of(message));
  if (message.direction == Direction::call) {
    account.requested = Established<uint32_t>{h.credit, message.at};
  } else if (message.direction == Direction::reply) {
    note_answer(message, account);
  } else if (h.is(rpcrdma::v1::Proc::done)) {
    note_done(message);
  }
  characteristics_.note(message, agreed);
}

// RFC 5666 §3.8; one for each Reply with a Read list.
void History::note_done(const Message& message) {
  End& requester = end(message.from);
  const uint32_t xid = message.header->xid;
  const auto owed = std::find_if(requester.owed_dones.begin(), requester.owed_dones.end(),
                                 [&](const OwedDone& one) { return one.xid == xid; });
  const bool due = owed != requester.owed_dones.end();
  if (due) {
    requester.owed_dones.erase(owed);
  }
  const auto found = std::find_if(requester.answered.rbegin(), requester.answered.rend(),
                                  [&](const Answered& a) { return a.xid == xid; });
  if (found != requester.answered.rend()) {
    found->completion.done = found->completion.done.value_or(message.at);
  } else if (!due && requester.stray_dones.size() < kMaxStrayDones) {
    requester.stray_dones.push_back({xid, message.at});
  }
}

// Both ends are settled by the Reply; what could not be read of either is left open.
void History::note_configuration(const Message& message) {
  if (message.direction == Direction::call) {
    end(message.from).configuration = {message.header->xid, {}};
    if (message.config) {
      end(message.from).configuration.request = message.config->asked;
    }
    return;
  }
  if (!message.rpc->succeeded() && !message.rpc_decoded.stop) {
    return;
  }
  End& client = end(rdma::other(message.from));
  const bool alone = !client.any_grant && connection_.begins_in_capture();
  client.configured = end(message.from).configured = Configured{{}, {}, message.at, alone};
  may_be_configured_ = false;
  const bool asked = client.configuration.request && client.configuration.xid == message.header->xid;
  const bool told = message.config && message.config->settled;
  if (asked) {
    client.configured->takes = client.configuration.request->maxreply_sendsize;
  }
  if (told) {
    end(message.from).configured->takes = message.config->settled->maxcall_sendsize;
  }
  if (asked && told) {
    client.configured->reads = end(message.from).configured->reads =
        std::max(client.configuration.request->maxrdmaread, message.config->settled->maxrdmaread);
  }
}

void History::note_credit(const Message& message, End& requester) {
  if (message.header->credit != 0) {
    requester.grants.note(message.header->credit, message.at);
  }
}

// Where it is not clear whether the credits of a message are a grant, they only ever allow more.
void History::note_raise(const Message& message, End& requester) {
  const auto most = requester.grants.most(message.at.time_ns, window_ns(requester));
  if (most && message.header->credit > most->value) {
    note_credit(message, requester);
  }
}

void History::note_agreement(const Message& message, End& requester) {
  requester.any_grant = true;
  const Exchange* call = exchanges_.find_open(requester_of(message), message.header->xid);
  if (!agreed_ && (call == nullptr || call->version == message.header->version)) {
    agreed_ = Established<uint32_t>{message.header->version, message.at};
    agreed_by_ = message.from;
  }
}

// Of these messages only RESPXCH is an answer; what another extension means is not known.
void History::note_terms(const Message& message, End& requester) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (is_optional(h, xchar::Operation::respxch)) {
    note_credit(message, requester);
    note_agreement(message, requester);
    return;
  }
  // version-two-02 §6: what is no error tells the credit limit.
  requester.any_grant = true;
  note_raise(message, requester);
}

void History::note_refusal(const Message& message, VersionRange range, End& requester) {
  requester.refused = Established<VersionRange>{range, message.at};
  requester.refused_heard.reset();
}

void History::note_answer(const Message& message, End& requester) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.is(rpcrdma::v2::Proc::optional) && !conveys_rpc(message)) {
    return note_terms(message, requester);
  }
  if (h.is_error()) {
    note_raise(message, requester);
  } else {
    note_credit(message, requester);
    note_agreement(message, requester);
  }
  if (!h.is_error() && h.version == 1 && !h.chunks.reads.empty()) {
    requester.owed_dones.push_back({h.xid, message.at});
    if (requester.owed_dones.size() > kMaxOwedDones) {
      requester.owed_dones.pop_front();
    }
  }
  if (message.decoded.stop) {
    // The range of an ERR_VERS was not sent, or not captured.
  } else if (h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::vers) {
    note_refusal(message, {h.error_v1->vers_low, h.error_v1->vers_high}, requester);
  } else if (h.error_v2 && h.error_v2->code == rpcrdma::v2::ErrorCode::vers) {
    note_refusal(message, {h.error_v2->vers_low, h.error_v2->vers_high}, requester);
  }
  Answered answered{h.xid, {}, 0};
  answered.completion.reply = message.at;
  answered.completion.error = h.is_error();
  answered.completion.reads = !h.chunks.reads.empty() || message.decoded.stop;
  if (const Exchange* call = exchanges_.find_open(requester_of(message), h.xid)) {
    answered.completion.call_seen = true;
    answered.completion.call = *call->call;
    answered.owed = call->resent;
    if (call->resent == 0) {  // otherwise its first copy may be what is answered
      characteristics_.note_heard(requester_of(message), *call->call);
    }
    if (h.is_error()) {
      requester.refusals.note(*call, h, message.at);
    } else {
      requester.refusals.forget(*call);
    }
    requester.least_latency_ns =
        std::min(requester.least_latency_ns, std::max<int64_t>(0, message.at.time_ns - call->call->time_ns));
  } else {
    const auto found = std::find_if(requester.answered.rbegin(), requester.answered.rend(),
                                    [&](const Answered& a) { return a.xid == h.xid; });
    if (found != requester.answered.rend() && found->owed != 0) {
      --found->owed;
    }
    return;
  }
  requester.answered.push_back(answered);
  if (requester.answered.size() > kMaxCompletions) {
    requester.answered.pop_front();
  }
}

}  // namespace steertag::flow
