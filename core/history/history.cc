#include "history/history.h"

#include <algorithm>

#include "history/memory_standing.h"
#include "rpc/direction.h"

namespace steertag::history {
namespace {

constexpr int64_t kLongestFlightNs = 200'000'000;

constexpr size_t kKeptByRules = 2048;  // beside itself, in tables by connection

bool is_optional(const rpcrdma::TransportHeader& h, xchar::Operation opttype) {
  return h.is(rpcrdma::v2::Proc::optional) && !h.optional.empty() && h.optional[0].opttype == opttype;
}

// Whose Calls this message has to do with: a Reply's receiver's.
Side requester_of(const Message& message) {
  return message.direction == Direction::reply ? rdma::other(message.from) : message.from;
}

// For how long after a Reply its Requester may not have it.
int64_t window_ns(int64_t least_latency_ns, int64_t flight_ns) {
  return std::max(least_latency_ns == INT64_MAX ? 0 : least_latency_ns, flight_ns);
}

// What the XID says.
void fill_xid(Standing& s, const Message& message, const rpc::OpenCalls& open,
              const Characteristics& characteristics, const Completions& completions) {
  const Side requester = requester_of(message);
  const uint32_t xid = message.header->xid;
  const bool error = message.header->is_error();
  s.open = open.exchange(requester, xid);
  s.own = error ? open.exchange(message.from, xid) : nullptr;
  s.aside = error ? characteristics.find_aside(requester, xid, false) : nullptr;
  s.answered_aside = error ? characteristics.find_aside(requester, xid, true) : nullptr;
  s.completed.reset();
  s.owed = false;
  const Side receiver = rdma::other(message.from);
  s.awaited = requester == receiver ? s.open : open.exchange(receiver, xid);
  s.extension = conveys_rpc(message) ? characteristics.find_unknown(requester, xid) : nullptr;
  const bool done = message.header->is(rpcrdma::v1::Proc::done);
  if (s.open == nullptr && (message.direction == Direction::reply || done)) {
    const Completions::Answered* found = completions.find(xid);
    s.owed = found != nullptr && found->owed != 0;
    const bool of_aside = s.aside != nullptr || (s.answered_aside != nullptr && found != nullptr &&
                                                 !(s.answered_aside->at == found->completion.call));
    if (found != nullptr && !s.owed && !of_aside) {
      s.completed = found->completion;
    }
  }
}

// Of the OPTIONAL messages only REQXCH is answered, and counts as a Call.
void fill_outstanding(Standing& s, const Message& message, const rpc::Outstanding& calls,
                      const Characteristics& characteristics) {
  const Side requester = requester_of(message);
  const Terms& terms = characteristics.of(requester);
  const std::vector<Asked>& asked = terms.asked;
  const bool counts = !message.header->is(rpcrdma::v2::Proc::optional) || conveys_rpc(message) ||
                      (is_optional(*message.header, xchar::Operation::reqxch) &&
                       terms.find_asked(message.header->xid) == nullptr);
  const uint32_t adds = message.direction == Direction::call && s.open == nullptr && counts ? 1 : 0;
  s.credits.outstanding = calls.open(requester) + static_cast<uint32_t>(asked.size()) + adds;
  s.credits.certain = calls.certain(requester) + adds +
                      static_cast<uint32_t>(std::count_if(asked.begin(), asked.end(),
                                                          [](const Asked& a) { return a.certain; }));
}

// The open Call that a Reply is to; null where there is none.
const Exchange* call_of(const Message& reply, const rpc::OpenCalls& open) {
  return reply.standing->known ? reply.standing->open : open.exchange(requester_of(reply), reply.header->xid);
}

}  // namespace

History::History(rpc::ConnectionState& state, Shared& shared)
    : state_(state), shared_(shared), judge_(state.connection, shared.directory), sizes_(state.connection) {
  state.advertised.judge_by(&judge_);
}

void History::introduce(Message& message, bool early) {
  if (early) {
    shared_.unknown.characteristics = &characteristics_;
    message.standing = &shared_.unknown;
    return;
  }
  const Side requester = requester_of(message);
  End& account = end(requester);
  End& sender = end(message.from);
  Standing& s = shared_.standing;
  message.standing = &s;
  s.known = true;
  fill_xid(s, message, state_.open, characteristics_, account.completions);
  fill_outstanding(s, message, state_.open.outstanding(), characteristics_);
  fill_memory(s, message, state_.advertised);
  s.calls_forgotten = state_.open.outstanding().forgot(requester);
  s.refusal = message.direction == Direction::call ? shared_.refusals.find(message) : nullptr;
  s.credits.owed_dones = static_cast<uint32_t>(account.completions.owed_dones().size());
  s.credits.most_granted =
      account.grants.most(message.at.time_ns, window_ns(account.least_latency_ns, flight_ns_));
  s.credits.requested = account.use.requested();
  s.credits.any_grant = account.any_grant;
  s.agreed = versions_.agreed();
  s.agreed_known = versions_.agreed_known(message);
  s.refused = versions_.refused(requester);
  s.refused_known = versions_.refused_known(message, requester);
  s.ordinal = sender.messages + 1;
  s.back_channel = callbacks_.standing(state_.connection);
  s.inline_threshold = sizes_.inline_threshold(message.from);
  s.send_limit =
      sizes_.send_limit(message, versions_.agreed_version(), characteristics_.of(rdma::other(message.from)));
  s.configured = sizes_.configured(rdma::other(message.from));
  s.may_be_configured = sizes_.may_be_configured();
  s.oversized_before = complained_ ? 0 : sender.oversized;
  s.invalidated_before = sender.invalidated;
  s.characteristics = &characteristics_;
  s.ground = &ground_;
}

void History::on_doubt(Side from) {
  end(rdma::other(from)).grants.note_gap();
  end(from).completions.forget_owed_dones();
  characteristics_.note_gap(from);
  callbacks_.note_gap();
}

void History::on_misread(Side from, uint32_t xid) {
  end(rdma::other(from)).completions.forget(xid);
  on_doubt(from);
}

rpc::MessageListener::Answered History::answered(Side requester, uint32_t xid) const {
  const Completions& completions = of(requester).completions;
  return completions.answered_by_xid(xid)   ? Answered::by_xid
         : completions.find(xid) != nullptr ? Answered::yes
                                            : Answered::no;
}

void History::on_incident(Incident& incident) {
  if (const rdma::Fault* fault = incident.fault()) {
    complained_ |= fault->kind != rdma::Fault::Kind::nak_sequence && fault->kind != rdma::Fault::Kind::rnr;
    incident.served = newest_heard(characteristics_);
    incident.flight_ns = flight_ns_;
  } else {
    incident.configured = sizes_.configured(rdma::other(incident.from()));
  }
}

size_t History::bytes() const {
  return sizeof(History) + kKeptByRules + characteristics_.bytes() + callbacks_.bytes() + ends_[0].bytes() +
         ends_[1].bytes();
}

void History::on_message(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (state_.connection.setup_seen() && ends_[0].messages + ends_[1].messages == 0) {
    flight_ns_ =
        std::clamp(message.at.time_ns - state_.connection.first_frame.time_ns, kFlightNs, kLongestFlightNs);
  }
  const bool agreed_before = versions_.agreed().has_value();
  End& sender = end(message.from);
  ++sender.messages;
  sender.invalidated |= message.send_invalidate;
  const std::optional<uint32_t> limit =
      message.standing->known ? message.standing->send_limit
                              : sizes_.send_limit(message, versions_.agreed_version(),
                                                  characteristics_.of(rdma::other(message.from)));
  sender.oversized += limit && message.length > *limit ? 1 : 0;
  callbacks_.note(message, state_.common.walk);
  const bool granted = end(rdma::other(message.from)).any_grant;
  sizes_.note(message, granted || !state_.connection.begins_in_capture() ? Sizes::Before::messages
                                                                         : Sizes::Before::nothing);
  End& account = end(requester_of(message));
  if (message.direction == Direction::call) {
    account.use.note(message, account.grants.trend());
  } else if (message.direction == Direction::reply) {
    note_credits(message, account);
    if (!h.is(rpcrdma::v2::Proc::optional) || conveys_rpc(message)) {
      note_answer(message, account);
    }
  } else if (h.is(rpcrdma::v1::Proc::done)) {
    sender.completions.note_done(h.xid, message.at);
  }
  characteristics_.note(message, agreed_before);
}

// What is an answer grants credits, and agrees on its version. Of the messages without an RPC only RESPXCH is
// one; but what is no error says the credit limit (version-two-02 §6). What may be a Call may have granted.
void History::note_credits(const Message& message, End& requester) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool aside = h.is(rpcrdma::v2::Proc::optional) && !conveys_rpc(message);
  requester.any_grant |= !h.is_error();
  if (h.is_error() || (aside && !is_optional(h, xchar::Operation::respxch)) ||
      rpc::taken_by_xid(message, state_.connection.client)) {
    requester.grants.note_raise(h.credit, message.at);
    return;
  }
  requester.grants.note(h.credit, message.at);
  const Exchange* call = call_of(message, state_.open);
  if (call == nullptr || call->version == h.version) {
    versions_.note_agreement(message);
  }
}

void History::note_answer(const Message& message, End& requester) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool reads = h.version == 1 && !h.chunks.reads.empty() && !message.direction_guessed;
  if (const std::optional<VersionRange> range = refused_versions(message)) {
    versions_.note_refusal(requester_of(message), *range, message.at);
  }
  const Exchange* call = call_of(message, state_.open);
  const bool repeated = call == nullptr && requester.completions.note_further(h.xid);
  if (!h.is_error() && reads && !repeated) {
    requester.completions.note_reads(h.xid, message.at);
  }
  if (call == nullptr) {
    return;
  }
  const bool by_xid = message.direction_guessed && (message.from == state_.connection.client ||
                                                    rpc::taken_by_xid(message, state_.connection.client));
  Completions::Answered made{h.xid, {}, by_xid, call->resent};
  made.completion.call = *call->call;
  made.completion.reply = message.at;
  made.completion.call_seen = true;
  made.completion.error = h.is_error();
  made.completion.reads = !h.chunks.reads.empty() || message.decoded.stop;
  if (call->resent == 0) {  // otherwise its first copy may be what is answered
    characteristics_.note_heard(requester_of(message), *call->call);
  }
  h.is_error() ? shared_.refusals.note(*call, h, message.at) : shared_.refusals.forget(*call);
  requester.least_latency_ns =
      std::min(requester.least_latency_ns, std::max<int64_t>(0, message.at.time_ns - call->call->time_ns));
  requester.completions.note(made);
}

}  // namespace steertag::history
