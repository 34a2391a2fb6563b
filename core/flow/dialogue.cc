#include "flow/dialogue.h"

#include "flow/answered_chunks.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"
#include "rpcrdma/recognize.h"

namespace steertag::flow {

namespace {

// A Requester that has waited this long for an answer to its first message, in version two, may take it for
// lost and its peer for one of version one (version-two-02 §6.2).
constexpr int64_t kProbePatienceNs = 100'000'000;

}  // namespace

Dialogue::Dialogue(track::Connection& connection, Common& common, Advertised& advertised,
                   Exchanges& exchanges, History& history)
    : connection_(connection),
      common_(common),
      advertised_(advertised),
      exchanges_(exchanges),
      history_(history),
      drops_(common.drops),
      claim_(common.budget),
      learned_(connection) {}

void Dialogue::on_send(const Send& send) {
  if (send.length == 0) {
    return;  // a ready-to-receive indication (RFC 6581 §4), not a message
  }
  Message& message = common_.reader.read(send, connection_, history_.unknown());
  const Belief belief = believe(message);
  if (belief == Belief::dropped) {
    exchanges_.departures().drop();
    return;
  }
  reconsider(message, common_.reader.rpc());
  orient(message, common_.reader.rpc());
  settle(message);
  learned_.note_client(message);
  const rpcrdma::TransportHeader& h = *message.header;
  const bool advertises = message.direction == Direction::call || !h.chunks.reads.empty();
  if (advertises && advertised_.early().of(message)) [[unlikely]] {
    doubt(rdma::other(message.from), message.at);
  }
  if (message.send_invalidate) {
    invalidations_[rdma::index(message.from)] = Invalidation{message.invalidated, h.xid, message.at};
  }
  if (!learned_.version_settled() && message.direction == Direction::call && h.version == 1) {
    // RPC-over-RDMA is reliable: what is lost is the message that the peer could not take.
    exchanges_.open().give_up_v2(message.from, message.at.time_ns - kProbePatienceNs);
  }
  if (belief == Belief::waits) {
    claim_.wait(send, message.direction, message.direction_guessed);
  } else {
    if (common_.settings.for_rules) {
      message.standing = &history_.before(message);
    }
    emit(message);
  }
  if (common_.settings.for_rules) {
    history_.note(message);
  }
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
    common_.numbering.note(promising ? Promise::given : Promise::broken, connection_.number,
                           connection_.order);
  }
  if (state == Claim::State::claimed) {
    become_claimed(message);
    return Belief::reported;
  }
  const bool no = likeness == rpcrdma::Likeness::no || state == Claim::State::refused;
  return no ? Belief::dropped : Belief::waits;
}

void Dialogue::become_claimed(const Message& message) {
  connection_.rpcrdma = true;
  learned_.note_version(message);
  common_.numbering.note(Promise::redeemed, connection_.number, connection_.order);
  common_.retries.claim(connection_);
  advertised_.enlist();
  common_.sink.on_claimed(connection_);
  const std::vector<Claim::WaitingIncident> incidents = claim_.take_incidents();
  auto next = incidents.begin();
  for (const Claim::Waiting& waiting : claim_.take_waiting()) {
    for (; next != incidents.end() && next->before <= waiting.number; ++next) {
      report(next->incident);
    }
    Message& earlier = common_.waiting_reader.read(waiting.send, connection_, history_.unknown());
    earlier.direction = waiting.direction;
    earlier.direction_guessed = waiting.guessed || is_guess(earlier, connection_.client);
    settle(earlier);
    emit(earlier);
  }
  for (; next != incidents.end(); ++next) {
    report(next->incident);
  }
}

void Dialogue::on_unreceived(const Send& send) {
  if (claim_.state() == Claim::State::claimed && send.length != 0) {
    Message& message = common_.reader.read(send, connection_, history_.unknown());
    message.unreceived = true;
    orient(message, common_.reader.rpc());
    common_.sink.on_message(message);
  }
}

void Dialogue::report(const Incident& incident) {
  if (!common_.settings.for_rules) {
    return;
  }
  if (claim_.state() == Claim::State::claimed) {
    common_.sink.on_incident(incident);
  } else {
    claim_.wait(incident);
  }
}

void Dialogue::doubt(Side from, const Stamp& at) {
  ++connection_.doubts;
  connection_.last_doubt_ns = at.time_ns;
  ++exchanges_.departures().disturbances().gaps;
  exchanges_.open().outstanding().on_gap(from);
  history_.note_gap(from);
}

void Dialogue::heed_drops(const Stamp& at) {
  if (drops_ == common_.drops) [[likely]] {
    return;
  }
  drops_ = common_.drops;
  connection_.last_drop_ns = at.time_ns;
  exchanges_.departures().times().transit().on_gap();
  for (const Side from : {Side::a, Side::b}) {
    doubt(from, at);
  }
}

// A message was taken for a Reply by its XID, and there is another answer: it was a Call with that XID. If it
// is not known any more what the message was, something is missing.
void Dialogue::reconsider(const Message& message, const rpcrdma::RpcHeader* rpc) {
  if (!exchanges_.ever_unclear()) [[likely]] {
    return;
  }
  const uint32_t xid = message.header->xid;
  if (!connection_.client || !may_answer(message, rpc) ||
      exchanges_.find_open(rdma::other(message.from), xid) != nullptr) {
    return;
  }
  if (const std::optional<Side> misread = exchanges_.reconsider(message)) {
    history_.note_misread(*misread, xid);
    return;
  }
  for (const Side requester : {Side::a, Side::b}) {
    if (history_.of(requester).completions.answered_by_xid(xid)) {
      doubt(rdma::other(requester), message.at);
    }
  }
}

void Dialogue::orient(Message& message, const rpcrdma::RpcHeader* rpc) {
  DirectionFacts facts;
  facts.rpc = rpc;
  facts.client = connection_.client;
  const uint32_t xid = message.header->xid;
  if (rpc == nullptr) {
    const Exchange* call = exchanges_.find_open(rdma::other(message.from), xid);
    facts.awaited = call != nullptr;
    facts.returns = call != nullptr && advertises_all(*call, message.header->chunks);
    facts.answers_otherwise =
        call == nullptr && message.header->is(rpcrdma::v1::Proc::nomsg) && header_whole(message) &&
        answers_otherwise(message, exchanges_.departures().lingering().answered(), advertised_);
    facts.calls_back = call != nullptr && message.header->is(rpcrdma::v1::Proc::nomsg) &&
                       message.header->chunks.has_position_zero() &&
                       may_call_back(*call, compounds_, common_.walk);
  }
  if (type_cut(message)) {
    facts.forgotten = exchanges_.open().outstanding().forgot(rdma::other(message.from));
    facts.seen_whole = connection_.seen_from_start && !connection_.last_doubt_ns;
    facts.answered = connection_.client && history_.of(*connection_.client).completions.find(xid) != nullptr;
  }
  message.direction = direction_of(message, facts);
  message.direction_guessed =
      is_guess(message, connection_.client) || is_assumed(message, facts) || left_by_server(message, facts);
}

// CONF_RDMA: a Reply does not say what it answers.
void Dialogue::settle(Message& message) const {
  if (message.rpc != nullptr) {
    const bool call = message.rpc->call();
    find_configuration(message,
                       call ? nullptr : exchanges_.find_open(rdma::other(message.from), message.header->xid));
  }
}

void Dialogue::follow(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  compounds_ |= message.rpc != nullptr && message.rpc->call() && nfs::is_compound(*message.rpc);
  if (nameless(message)) {
    advertised_.unread().note_cut(message.from);  // it may have been a Call
    exchanges_.open().outstanding().note_forgotten(message.from);
    doubt(message.from, message.at);
  } else if (exchanges_.negotiations().note(message)) {
    // it asks for characteristics, or answers that: no RPC
  } else if (message.direction == Direction::reply
                 ? conveys_rpc(message) || h.is_error()
                 : is_attempt(message) && exchanges_.find_open(rdma::other(message.from), h.xid) != nullptr) {
    exchanges_.on_reply(message);
  } else if (message.direction == Direction::call
                 ? conveys_rpc(message)
                 : is_attempt(message) && message.from == connection_.client) {
    exchanges_.on_call(message);
  } else if (h.is(rpcrdma::v1::Proc::done)) {
    exchanges_.on_done(message);
  }
  if (unknown_option(message)) {
    exchanges_.on_unknown_option(message);
  }
  learned_.note_credits(message, exchanges_.open().outstanding());
  if (common_.settings.for_reports) {
    learned_.note_waiting(message, exchanges_.open().outstanding());
  }
}

void Dialogue::emit(const Message& message) {
  learned_.note_version(message);
  common_.sink.on_message(message);
  if (message.direction != Direction::call) {  // what was meant for a Reply may end an RPC, too
    common_.agenda.add(exchanges_.departures(), message.at.clock(),
                       message.at.time_ns + common_.settings.linger_ns);
  }
}

}  // namespace steertag::flow
