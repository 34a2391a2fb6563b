#include "rpc/dialogue.h"

#include "rpc/answered_chunks.h"
#include "rpc/direction.h"
#include "rpc/exchange_fill.h"
#include "rpcrdma/recognize.h"

namespace steertag::rpc {
namespace {

// A Requester that has waited this long for an answer to its first message, in version two, may take it for
// lost and its peer for one of version one (version-two-02 §6.2).
constexpr int64_t kProbePatienceNs = 100'000'000;

}  // namespace

Dialogue::Dialogue(ConnectionState& state, Exchanges& exchanges, Departures& departures,
                   Negotiations& negotiations)
    : state_(state),
      exchanges_(exchanges),
      departures_(departures),
      negotiations_(negotiations),
      claim_(state.common.budget),
      learned_(state.connection) {}

void Dialogue::on_send(const Send& send) {
  if (send.length == 0) {
    return;  // a ready-to-receive indication (RFC 6581 §4), not a message
  }
  Message& message = state_.common.reader.read(send, state_.connection, state_.common.unknown);
  const Belief belief = believe(message);
  if (belief == Belief::dropped) {
    departures_.drop();
    return;
  }
  reconsider(message, state_.common.reader.rpc());
  orient(message, state_.common.reader.rpc());
  settle(message);
  learned_.note_client(message);
  const rpcrdma::TransportHeader& h = *message.header;
  const bool advertises = message.direction == Direction::call || !h.chunks.reads.empty();
  if (advertises && state_.advertised.early().of(message)) [[unlikely]] {
    doubt(rdma::other(message.from), message.at);
  }
  if (message.send_invalidate) {
    invalidations_[rdma::index(message.from)] = Invalidation{message.invalidated, h.xid, message.at};
  }
  if (!learned_.version_settled() && message.direction == Direction::call && h.version == 1) {
    // RPC-over-RDMA is reliable: what is lost is the message that the peer could not take.
    state_.open.give_up_v2(message.from, message.at.time_ns - kProbePatienceNs);
  }
  if (belief == Belief::waits) {
    claim_.wait(send, message.direction, message.direction_guessed);
  } else {
    state_.listeners.messages->introduce(message, false);
    emit(message);
  }
  state_.listeners.messages->on_message(message);
  follow(message);
}

Dialogue::Belief Dialogue::believe(const Message& message) {
  if (claim_.state() == Claim::State::claimed) [[likely]] {
    return Belief::reported;
  }
  const rpcrdma::Likeness likeness =
      rpcrdma::recognize(message.bytes, message.length, *message.header, message.decoded);
  const Claim::State state = claim_.hear(likeness);
  const bool promising = state == Claim::State::open && claim_.promising();
  if (promising != promising_) {
    promising_ = promising;
    state_.common.numbering.note(promising ? Promise::given : Promise::broken, state_.connection.number,
                                 state_.connection.order);
  }
  if (state == Claim::State::claimed) {
    become_claimed(message);
    return Belief::reported;
  }
  const bool no = likeness == rpcrdma::Likeness::no || state == Claim::State::refused;
  return no ? Belief::dropped : Belief::waits;
}

void Dialogue::become_claimed(const Message& message) {
  state_.connection.rpcrdma = true;
  learned_.note_version(message);
  state_.common.numbering.note(Promise::redeemed, state_.connection.number, state_.connection.order);
  state_.common.sink.on_claimed(state_.connection);
  const std::vector<Claim::WaitingIncident> incidents = claim_.take_incidents();
  auto next = incidents.begin();
  for (const Claim::Waiting& waiting : claim_.take_waiting()) {
    for (; next != incidents.end() && next->before <= waiting.number; ++next) {
      state_.common.sink.on_incident(next->incident);
    }
    Message& earlier =
        state_.common.waiting_reader.read(waiting.send, state_.connection, state_.common.unknown);
    earlier.direction = waiting.direction;
    earlier.direction_guessed = waiting.guessed || is_guess(earlier, state_.connection.client);
    settle(earlier);
    state_.listeners.messages->introduce(earlier, true);
    emit(earlier);
  }
  for (; next != incidents.end(); ++next) {
    state_.common.sink.on_incident(next->incident);
  }
}

void Dialogue::on_unreceived(const Send& send) {
  if (claim_.state() == Claim::State::claimed && send.length != 0) {
    Message& message = state_.common.reader.read(send, state_.connection, state_.common.unknown);
    message.unreceived = true;
    orient(message, state_.common.reader.rpc());
    state_.listeners.messages->introduce(message, true);
    state_.common.sink.on_message(message);
  }
}

void Dialogue::report(Incident incident) {
  if (!state_.listeners.ask_for_incidents) {
    return;
  }
  state_.listeners.messages->on_incident(incident);
  if (claim_.state() == Claim::State::claimed) {
    state_.common.sink.on_incident(incident);
  } else {
    claim_.wait(incident);
  }
}

void Dialogue::doubt(Side from, const Stamp& at) {
  ++state_.connection.doubts;
  state_.connection.last_doubt_ns = at.time_ns;
  ++state_.disturbances.gaps;
  state_.open.outstanding().on_gap(from);
  state_.listeners.messages->on_doubt(from);
}

// A message was taken for a Reply by its XID, and there is another answer: it was a Call with that XID. If it
// is not known any more what the message was, something is missing.
void Dialogue::reconsider(const Message& message, const rpcrdma::RpcHeader* rpc) {
  if (!exchanges_.ever_unclear()) [[likely]] {
    return;
  }
  const uint32_t xid = message.header->xid;
  if (!state_.connection.client || !may_answer(message, rpc) ||
      state_.open.exchange(rdma::other(message.from), xid) != nullptr) {
    return;
  }
  if (const std::optional<Side> misread = exchanges_.reconsider(message)) {
    state_.listeners.messages->on_misread(*misread, xid);
    return;
  }
  for (const Side requester : {Side::a, Side::b}) {
    if (state_.listeners.messages->answered(requester, xid) == MessageListener::Answered::by_xid) {
      doubt(rdma::other(requester), message.at);
    }
  }
}

void Dialogue::orient(Message& message, const rpcrdma::RpcHeader* rpc) {
  DirectionFacts facts;
  facts.rpc = rpc;
  facts.client = state_.connection.client;
  const uint32_t xid = message.header->xid;
  if (rpc == nullptr) {
    const Exchange* call = state_.open.exchange(rdma::other(message.from), xid);
    facts.awaited = call != nullptr;
    facts.returns = call != nullptr && advertises_all(*call, message.header->chunks);
    facts.answers_otherwise =
        call == nullptr && message.header->is(rpcrdma::v1::Proc::nomsg) && header_whole(message) &&
        answers_otherwise(message, departures_.lingering().answered(), state_.advertised);
    facts.calls_back = call != nullptr && message.header->is(rpcrdma::v1::Proc::nomsg) &&
                       message.header->chunks.has_position_zero() &&
                       may_call_back(*call, compounds_, state_.common.walk);
  }
  if (type_cut(message)) {
    facts.forgotten = state_.open.outstanding().forgot(rdma::other(message.from));
    facts.seen_whole = state_.connection.seen_from_start && !state_.connection.last_doubt_ns;
    facts.answered =
        state_.connection.client &&
        state_.listeners.messages->answered(*state_.connection.client, xid) != MessageListener::Answered::no;
  }
  message.direction = direction_of(message, facts);
  message.direction_guessed = is_guess(message, state_.connection.client) || is_assumed(message, facts) ||
                              left_by_server(message, facts);
}

// CONF_RDMA: a Reply does not say what it answers.
void Dialogue::settle(Message& message) const {
  if (message.rpc != nullptr) {
    const bool call = message.rpc->call();
    find_configuration(message,
                       call ? nullptr : state_.open.exchange(rdma::other(message.from), message.header->xid));
  }
}

void Dialogue::follow(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  compounds_ |= message.rpc != nullptr && message.rpc->call() && nfs::is_compound(*message.rpc);
  if (nameless(message)) {
    state_.advertised.unread().note_cut(message.from);  // it may have been a Call
    state_.open.outstanding().note_forgotten(message.from);
    doubt(message.from, message.at);
  } else if (negotiations_.note(message)) {
    // it asks for characteristics, or answers that: no RPC
  } else if (message.direction == Direction::reply
                 ? conveys_rpc(message) || h.is_error()
                 : is_attempt(message) && state_.open.exchange(rdma::other(message.from), h.xid) != nullptr) {
    exchanges_.on_reply(message);
  } else if (message.direction == Direction::call
                 ? conveys_rpc(message)
                 : is_attempt(message) && message.from == state_.connection.client) {
    exchanges_.on_call(message);
  } else if (h.is(rpcrdma::v1::Proc::done)) {
    exchanges_.on_done(message);
  }
  if (unknown_option(message)) {
    exchanges_.on_unknown_option(message);
  }
  learned_.note_credits(message, state_.open.outstanding());
  state_.listeners.tell(&ExchangeListener::on_effect, message);
}

void Dialogue::emit(const Message& message) {
  learned_.note_version(message);
  state_.common.sink.on_message(message);
  if (message.direction != Direction::call) {  // what was meant for a Reply may end an RPC, too
    state_.common.agenda.add(departures_, message.at.clock(),
                             message.at.time_ns + state_.common.settings.linger_ns);
  }
}

}  // namespace steertag::rpc
