#include "flow/conversation.h"

#include <algorithm>

#include "rpcrdma/programs.h"
#include "rpcrdma/recognize.h"

namespace steertag::flow {

using rpcrdma::Likeness;
using rpcrdma::TransportHeader;

namespace {

constexpr uint32_t kThroughProcedure = 24;  // bytes of a Call up to and with its procedure (RFC 5531 §9)
constexpr uint32_t kThroughStatus = 12;     // of a Call with its rpcvers, of a Reply with its reply_stat

// A Requester that has waited this long for an answer to its first message, in version two, may take it for
// lost and its peer for one of version one (version-two-02 §6.2).
constexpr int64_t kProbePatienceNs = 100'000'000;

}  // namespace

Conversation::Conversation(track::Connection& connection, Sink& sink, const Settings& settings)
    : connection_(connection),
      sink_(sink),
      settings_(settings),
      exchanges_(connection, sink, settings),
      history_(connection, exchanges_) {
  for (const track::End& end : connection.ends) {
    if (end.port &&
        std::find(settings.ports.begin(), settings.ports.end(), *end.port) != settings.ports.end()) {
      claim_.trust(Claim::Trust::port);
    }
  }
}

void Conversation::on_setup(Side half, const rdma::SetupHalf&, const Stamp&) {
  if (connection_.end(half).private_data.usable()) {
    claim_.trust(Claim::Trust::private_data);
  }
  const std::optional<uint16_t> port = connection_.end(rdma::other(half)).port;
  if (port && std::find(settings_.ports.begin(), settings_.ports.end(), *port) != settings_.ports.end()) {
    claim_.trust(Claim::Trust::port);
  }
}

void Conversation::on_op(const rdma::RdmaOp& op) {
  if (claim_.state() == Claim::State::refused) {
    return;
  }
  if (op.kind == rdma::OpKind::other || op.immediate) [[unlikely]] {
    rdma::Anomaly foreign;
    foreign.kind = rdma::Anomaly::Kind::foreign;
    foreign.from = op.from;
    foreign.at = op.frames.back();
    foreign.operation = op.kind;
    foreign.id = op.id;
    on_anomaly(foreign);
  }
  if (op.kind != rdma::OpKind::send) {
    if (!op.unreceived) {
      exchanges_.on_rdma(op);
    }
    return;
  }
  if (const std::optional<Send> send = assemblers_[rdma::index(op.from)].add(op)) {
    op.unreceived ? on_unreceived(*send) : on_send(*send);
  }
}

void Conversation::on_fault(const rdma::Fault& fault) {
  track::End& end = connection_.end(fault.from);
  switch (fault.kind) {
    case rdma::Fault::Kind::rnr:
      ++end.rnr_naks;
      exchanges_.on_nak();
      break;
    case rdma::Fault::Kind::terminate:
      ++end.terminates;
      break;
    default:
      ++end.naks;
      exchanges_.on_nak();
      break;
  }
  history_.note_fault(fault);
  const bool again = last_fault_ && last_fault_->kind == fault.kind && last_fault_->from == fault.from &&
                     last_fault_->psn == fault.psn && fault.kind != rdma::Fault::Kind::terminate;
  last_fault_ = fault;
  if (!again) {
    tell({&connection_, fault, invalidations_[rdma::index(rdma::other(fault.from))], history_.newest_served(),
          history_.flight_ns()});
  }
}

void Conversation::on_gap(Side from, const Stamp& at) {
  assemblers_[rdma::index(from)].drop();
  doubt(from, at);
}

// From here on, and for what is under way, what was seen of `from` is not all that it sent.
void Conversation::doubt(Side from, const Stamp& at) {
  ++connection_.doubts;
  connection_.last_doubt_ns = at.time_ns;
  exchanges_.on_gap(from);
  history_.note_gap(from);
}

void Conversation::on_repeat(Side, const Stamp&) {
  exchanges_.on_repeat();
}

void Conversation::on_acknowledged(Side by, const Stamp& at) {
  if (settings_.for_rules) {
    history_.note_acknowledged(by, at);
  }
}

void Conversation::on_anomaly(const rdma::Anomaly& anomaly) {
  tell({.connection = &connection_,
        .what = anomaly,
        .configured = history_.configured(rdma::other(anomaly.from))});
}

void Conversation::tell(const Incident& incident) {
  if (!settings_.for_rules) {
    return;
  }
  if (claimed()) {
    sink_.on_incident(incident);
  } else {
    claim_.wait(incident);
  }
}

void Conversation::on_end(rdma::EndReason, const Stamp&) {
  if (claimed()) {
    exchanges_.finish(true);
  }
}

void Conversation::flush(int64_t now_ns) {
  if (claimed()) {
    exchanges_.flush(now_ns);
  }
}

void Conversation::finish() {
  if (claimed()) {
    exchanges_.finish(false);
  }
}

void Conversation::on_send(const Send& send) {
  if (send.length == 0) {
    return;  // a ready-to-receive indication (RFC 6581 §4), not a message
  }
  Message& message = decode(send);
  if (!claimed()) {
    const Likeness likeness = rpcrdma::recognize(send.bytes, send.length, header_, message.decoded);
    const Claim::State state = claim_.hear(likeness);
    if (state == Claim::State::claimed) {
      become_claimed();
      decode(send);  // the messages that had waited used the same place
    } else if (likeness == Likeness::no || state == Claim::State::refused) {
      exchanges_.drop();
      return;
    }
  }
  message.direction = direction_of(message);
  message.direction_guessed = is_guess(message);
  find_configuration(message);
  learn_client(message);
  const bool offers = message.direction == Direction::call || !header_.chunks.reads.empty();
  if (offers && exchanges_.foreshown(message)) [[unlikely]] {
    doubt(rdma::other(message.from), message.at);
  }
  if (message.send_invalidate) {
    invalidations_[rdma::index(message.from)] = Invalidation{message.invalidated, header_.xid, message.at};
  }
  give_up_probes(message);
  if (claimed()) {
    if (settings_.for_rules) {
      message.standing = &history_.before(message);
    }
    emit(message);
  } else {
    claim_.wait(send, message.direction);
  }
  if (settings_.for_rules) {
    history_.note(message);
  }
  follow(message);
}

// It was sent, so it is told; but nothing comes of it, and it proves nothing.
void Conversation::on_unreceived(const Send& send) {
  if (claimed() && send.length != 0) {
    Message& message = decode(send);
    message.unreceived = true;
    message.direction = direction_of(message);
    message.direction_guessed = is_guess(message);
    sink_.on_message(message);
  }
}

Message& Conversation::decode(const Send& send) {
  Message& m = message_;
  m.connection = &connection_;
  m.from = send.from;
  m.at = send.at();
  m.frames = send.frames;
  m.send_invalidate = send.invalidate.has_value();
  m.invalidated = send.invalidate.value_or(0);
  m.bytes = send.bytes;
  m.length = send.length;
  m.decoded = rpcrdma::decode(send.bytes, send.length, header_);
  m.header = &header_;
  m.direction = Direction::unknown;
  m.direction_guessed = false;
  m.unreceived = false;
  m.payload = slice(send.bytes, m.decoded.header_length);
  m.payload_length = send.length - std::min(send.length, m.decoded.header_length);
  m.rpc = nullptr;
  m.conf_rdma = false;
  m.config.reset();
  m.standing = &history_.unknown();
  if (rpc_type_captured(m)) {
    m.rpc_decoded = rpcrdma::decode(m.payload, m.payload_length, rpc_);
  }
  m.part = part_of(m);
  const bool named = !rpc_.call() || m.rpc_decoded.header_length >= kThroughProcedure;
  m.rpc = rpc_type_captured(m) && named && m.part != Part::rest ? &rpc_ : nullptr;
  return m;
}

// RFC 5666 §6.2. A Reply does not say what it answers.
void Conversation::find_configuration(Message& message) const {
  if (message.rpc == nullptr) {
    return;
  }
  if (message.rpc->call()) {
    message.conf_rdma =
        rpcrdma::config::is_conf_rdma(message.rpc->program, message.rpc->version, message.rpc->procedure);
  } else if (const Exchange* open = exchanges_.find_open(rdma::other(message.from), header_.xid)) {
    const auto& p = open->procedure;
    message.conf_rdma = p && rpcrdma::config::is_conf_rdma(p->program, p->version, p->procedure);
  }
  if (message.conf_rdma && !message.rpc_decoded.stop) {
    message.config = rpcrdma::config::find(*message.rpc, message.payload, message.rpc_decoded.header_length);
  }
}

// `rpc_` has been read where there is enough for it.
Part Conversation::part_of(const Message& message) const {
  if (message.payload_length == 0 || !unknown_option(message)) {
    return Part::none;
  }
  if (!header_whole(message)) {
    return header_cut(message) ? Part::rest : Part::none;
  }
  const bool named = rpc_type_captured(message) && rpc_.xid == message.header->xid;
  const bool told = message.rpc_decoded.header_length >= kThroughStatus;
  const bool call = rpc_.type == rpcrdma::MsgType::call && (!told || rpc_.rpcvers == rpcrdma::rpc_version);
  const bool reply = rpc_.type == rpcrdma::MsgType::reply && (!told || !text(rpc_.reply_stat).empty());
  return named && (call || reply) ? Part::opening : Part::rest;
}

// RPC-over-RDMA is reliable: what is lost is the message that the peer could not take.
void Conversation::give_up_probes(const Message& call) {
  if (!version_settled_ && call.direction == Direction::call && call.header->version == 1) {
    exchanges_.give_up(call.from, 2, call.at.time_ns - kProbePatienceNs);
  }
}

// Who sends NFS Calls is the client; callbacks go the other way (RFC 8167).
void Conversation::learn_client(const Message& message) {
  if (!connection_.client && message.direction == Direction::call && message.rpc != nullptr &&
      message.rpc->rpcvers == rpcrdma::rpc_version && !rpcrdma::program_name(message.rpc->program).empty() &&
      !rpcrdma::nfs4_callback(message.rpc->program, message.rpc->version)) {
    connection_.client = message.from;
  }
}

void Conversation::learn_version(const Message& message) {
  const bool settles = message.direction == Direction::reply && !message.header->is_error();
  if (settles || !version_settled_) {
    connection_.version = message.header->version;
    version_settled_ |= settles;
  }
}

// Of errors, and of messages that convey no RPC, nothing is taken.
void Conversation::learn_credits(const Message& message) {
  if (message.header->is_error() || !conveys_rpc(message) || message.decoded.header_length < 12) {
    return;
  }
  if (message.direction == Direction::call) {
    uint32_t& most = connection_.end(message.from).credits.in_flight_max;
    most = std::max(most, exchanges_.certainly_open_calls(message.from));
  } else if (message.direction == Direction::reply) {
    track::Credits& credits = connection_.end(rdma::other(message.from)).credits;
    const uint32_t granted = message.header->credit;
    credits.granted_min = std::min(credits.granted_min.value_or(granted), granted);
    credits.granted_max = std::max(credits.granted_max.value_or(granted), granted);
  }
}

void Conversation::follow(const Message& message) {
  const TransportHeader& h = *message.header;
  if (nameless(message)) {
    exchanges_.on_nameless(message.from);
    doubt(message.from, message.at);
  } else if (message.direction == Direction::reply ? conveys_rpc(message) || h.is_error()
                                                   : is_attempted_reply(message)) {
    exchanges_.on_reply(message);
  } else if (message.direction == Direction::call ? conveys_rpc(message) : is_attempted_call(message)) {
    exchanges_.on_call(message);
  } else if (h.is(rpcrdma::v1::Proc::done)) {
    exchanges_.on_done(message);
  }
  if (unknown_option(message)) {
    exchanges_.on_unknown_option(message);
  }
  learn_credits(message);
}

void Conversation::become_claimed() {
  connection_.rpcrdma = true;
  learn_version(message_);
  sink_.on_claimed(connection_);
  exchanges_.on_claimed();
  const std::vector<Claim::WaitingIncident> incidents = claim_.take_incidents();
  auto next = incidents.begin();
  for (const Claim::Waiting& waiting : claim_.take_waiting()) {
    for (; next != incidents.end() && next->before <= waiting.number; ++next) {
      tell(next->incident);
    }
    Message& message = decode(waiting.send);
    message.direction = waiting.direction;
    message.direction_guessed = is_guess(message);
    find_configuration(message);
    emit(message);
  }
  for (; next != incidents.end(); ++next) {
    tell(next->incident);
  }
}

void Conversation::emit(const Message& message) {
  learn_version(message);
  sink_.on_message(message);
}

}  // namespace steertag::flow
