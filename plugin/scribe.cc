// SPDX-License-Identifier: GPL-2.0-or-later
#include "scribe.h"

#include <type_traits>
#include <utility>

#include "rpc_times.h"

namespace steertag::plugin {

void Scribe::on(const Event& event) {
  std::visit(
      [this](const auto& seen) {
        using Seen = std::decay_t<decltype(seen)>;
        if constexpr (std::is_same_v<Seen, ConnectionNamed> || std::is_same_v<Seen, ConnectionClosed>) {
          note(seen.connection);
        } else if constexpr (std::is_same_v<Seen, MessageSeen>) {
          note(seen.message);
        } else if constexpr (std::is_same_v<Seen, PlacementSeen>) {
          note(seen);
        } else if constexpr (std::is_same_v<Seen, AccessSeen>) {
          note(seen.access);
        } else if constexpr (std::is_same_v<Seen, ExchangeDone>) {
          note(seen.exchange);
        } else if constexpr (std::is_same_v<Seen, ExchangeTimed>) {
          note_times(seen.exchange);
        } else if constexpr (std::is_same_v<Seen, DisturbanceSeen>) {
          if (seen.connection.rpcrdma) {
            losses_.note(seen.disturbance, connection(seen.connection));
          }
        } else if constexpr (std::is_same_v<Seen, LossSeen>) {
          losses_.note(seen.loss, connection(seen.connection));
        }
      },
      event);
}

FindingNote::FindingNote(const rules::Finding& finding)
    : report::KeptFinding(finding), frame(plugin::number(finding.at)) {
  clause.append(source.document).append(" §").append(source.section);
  if (blame != rules::Blame::undecided) {
    accused = blame == rules::Blame::requester ? "Requester" : "Responder";
    accused += blamed.empty() ? "" : " " + blamed;
  }
}

void Scribe::on_finding(const rules::Finding& finding) {
  connection(*finding.connection);
  FindingNote& note = book_.findings.emplace_back(finding);
  note.known_from = frame_;
  book_.add(Note::Kind::finding, book_.findings.size() - 1, note.frame, note.known_from);
}

// --- connections ---

void Scribe::note(const track::Connection& seen) {
  if (seen.number != 0) {
    connection(seen);
  }
}

const ConnectionNote* Scribe::connection(const track::Connection& seen) {
  while (book_.connections.size() < seen.number) {
    book_.connections.emplace_back();
  }
  if (seen.number == 0) {
    return nullptr;
  }
  ConnectionNote& note = book_.connections[seen.number - 1];
  note.number = seen.number;
  note.transport = seen.transport;
  note.client = seen.client;
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    const track::End& end = seen.end(side);
    ConnectionNote::End& into = note.ends[rdma::index(side)];
    into.address = end.address;
    if (end.qpn) {
      into.port = end.qpn;
    } else if (seen.transport == rdma::Transport::iwarp && end.port) {
      into.port = *end.port;
    }
  }
  return &note;
}

// --- messages ---

void Scribe::note(const flow::Message& message) {
  MessageNote& note = book_.messages.emplace_back();
  const size_t index = book_.messages.size() - 1;
  note.frame = number(message.at);
  note.known_from = frame_;
  note.time_ns = message.at.time_ns;
  note.connection = connection(*message.connection);
  note.from = message.from;
  note.direction = message.direction;
  if (message.frames.size() > 1) {
    for (const Stamp& at : message.frames) {
      note.frames.push_back(number(at));
    }
  }
  note_bytes(message, note);
  note.header_length = message.decoded.header_length;
  note.xid = message.header->xid;
  note.version = message.header->version;
  note.procedure = message.header->procedure;
  note.error = message.header->is_error();
  const bool carries = message.header->carries_payload() || message.part == flow::Part::opening;
  note.carries_rpc = carries && !message.decoded.stop && message.payload_length != 0;
  if (message.direction != flow::Direction::unknown) {
    note.requester = message.direction == flow::Direction::call ? message.from : rdma::other(message.from);
  }
  if (message.send_invalidate) {
    note.invalidated = message.invalidated;
  }
  note.unreceived = message.unreceived;
  if (message.rpc != nullptr && message.rpc->call() &&
      message.rpc_decoded.header_length >= rpcrdma::rpc_through_procedure) {
    note.rpc = {message.rpc->program, message.rpc->version, message.rpc->procedure};
  }
  note.config = message.config;
  if (message.standing->known) {
    note_standing(message, note);
  }
  note_stream(message, note);
  book_.add(Note::Kind::message, index, note.frame, note.known_from);
  book_.add_pieces(index);
}

void Scribe::note_bytes(const flow::Message& message, MessageNote& note) {
  note.length = message.length;
  note.captured = static_cast<uint32_t>(message.bytes.size());
  const std::less_equal<const uint8_t*> not_after;
  if (note.frame == frame_ && !message.bytes.empty() && not_after(bytes_.data(), message.bytes.data()) &&
      not_after(message.bytes.data() + message.bytes.size(), bytes_.data() + bytes_.size())) {
    note.in_frame = true;
    note.offset = static_cast<uint32_t>(message.bytes.data() - bytes_.data());
  } else {
    note.copy.assign(message.bytes.begin(), message.bytes.end());
  }
}

void Scribe::note_standing(const flow::Message& message, MessageNote& note) {
  const flow::Standing& standing = *message.standing;
  note.outstanding = standing.credits.outstanding;
  if (standing.credits.most_granted) {
    note.granted = standing.credits.most_granted->value;
  }
  if (const auto limit = history::limit_in_force(*standing.ground, message.from)) {
    note.threshold = {limit->bytes, limit->by, number(limit->at)};
  }
  if (const auto takes =
          note.requester ? history::invalidation_in_force(*standing.ground, *note.requester) : std::nullopt) {
    note.invalidation = {takes->given ? 1U : 0U, takes->by, number(takes->at)};
  }
  if (message.header->is(rpcrdma::v1::Proc::done) && standing.completed) {
    note.call = number(standing.completed->call);
    note.reply = number(standing.completed->reply);
  }
  if (note.direction != flow::Direction::reply) {
    return;
  }
  if (standing.open != nullptr && standing.open->call) {
    const flow::Exchange& exchange = *standing.open;
    note.call = number(exchange.call);
    note.latency_ns = message.at.time_ns - exchange.call->time_ns;
    if (exchange.procedure) {
      note.rpc = {exchange.procedure->program, exchange.procedure->version, exchange.procedure->procedure};
    }
    if (MessageNote* call = find(note.call, note.connection->number, note.xid, exchange.requester)) {
      call->reply = note.frame;
      call->latency_ns = note.latency_ns;
    }
  } else if (standing.completed && standing.completed->call_seen) {
    note.call = number(standing.completed->call);
  }
}

// The RPC message, where it is not simply what follows the header.
void Scribe::note_stream(const flow::Message& message, MessageNote& note) {
  Stream stream;
  if (message.decoded.stop) {
    return;
  }
  if (note.direction == flow::Direction::call && has_reads(*message.header)) {
    note.by_read = message.header->chunks.has_position_zero();
    if (!note.by_read && promise(message, stream)) {
      note.stream = keep(std::move(stream), note);
    }
  } else if (note.direction == flow::Direction::call && unpadded_call(message, stream)) {
    note.stream = keep(std::move(stream), note);
  } else if (note.direction == flow::Direction::reply && message.standing->known &&
             message.standing->open != nullptr) {
    const flow::Exchange& exchange = *message.standing->open;
    report_read(exchange, flow::ChunkKind::read, More::none);
    if (has_reads(*message.header)) {  // RFC 5666 §3.5: the Requester is to read it
      note.by_read = message.header->chunks.has_position_zero();
      if (!note.by_read && promise(message, stream)) {
        note.stream = keep(std::move(stream), note);
      }
    } else if (unpadded_reply(exchange, message, stream)) {
      note.stream = keep(std::move(stream), note);
    } else if (reduced_reply(*message.header) && !note.error &&
               build_reply(exchange, *message.header, message.payload, message.payload_length, stream)) {
      note.stream = keep(std::move(stream), note);
    }
  }
}

int64_t Scribe::keep(Stream&& stream, const MessageNote& of) {
  RpcNote& rpc = book_.rpcs.emplace_back();
  rpc.stream = std::move(stream);
  rpc.connection = of.connection;
  rpc.version = of.version;
  rpc.from = of.from;
  rpc.reply = of.direction == flow::Direction::reply;
  rpc.frame = of.frame;
  rpc.time_ns = of.time_ns;
  return static_cast<int64_t>(book_.rpcs.size()) - 1;
}

// --- RDMA ---

void Scribe::note(const PlacementSeen& seen) {
  if (seen.op.frames.empty()) {
    return;
  }
  PlacementNote& note = placement(seen.exchange, seen.segment, number(seen.op.frames.back()));
  note.from = seen.op.from;
  note.offset = seen.offset;
  note.length = seen.length;
  if (flow::for_reading(seen.segment.kind) && seen.segment.moved().total() == seen.segment.target.length) {
    report_read(seen.exchange, seen.segment.kind, More::perhaps);
  }
}

void Scribe::note(const flow::Access& access) {
  if (!access.reading || access.segment == nullptr || access.exchange == nullptr ||
      access.op->frames.empty()) {
    return;
  }
  PlacementNote& note = placement(*access.exchange, *access.segment, number(access.op->frames.back()));
  note.from = access.op->from;
  note.request = true;
  note.offset = static_cast<uint32_t>(access.range.offset - access.segment->target.offset);
  note.length = access.range.length;
}

PlacementNote& Scribe::placement(const flow::Exchange& exchange, const flow::SegmentFlow& segment,
                                 uint32_t frame) {
  PlacementNote& note = book_.placements.emplace_back();
  note.frame = frame;
  note.known_from = frame_;
  note.connection = connection(*exchange.connection);
  note.xid = exchange.xid;
  note.call = number(exchange.call);
  note.call_message = place_of(note.call, exchange.connection->number, exchange.xid, exchange.requester);
  note.kind = segment.kind;
  note.chunk = segment.chunk;
  note.position = segment.position;
  for (const flow::SegmentFlow& other : exchange.segments) {
    if (&other == &segment) {
      break;
    }
    const bool same = other.kind == segment.kind &&
                      (segment.kind == flow::ChunkKind::reply ||
                       (segment.kind == flow::ChunkKind::write ? other.chunk == segment.chunk
                                                               : other.position == segment.position));
    note.segment += same ? 1 : 0;
  }
  note.handle = segment.target.handle;
  note.segment_length = segment.target.length;
  book_.add(Note::Kind::placement, book_.placements.size() - 1, note.frame, note.known_from);
  return note;
}

// The RPC message of the Call, or of a Reply that was left to be read, as far as its Read chunks have
// arrived; or will ever.
void Scribe::report_read(const flow::Exchange& exchange, flow::ChunkKind kind, More more) {
  bool complete = true;
  bool reads = false;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind == kind) {
      reads = true;
      complete &= segment.moved().total() == segment.target.length;
    }
  }
  const bool result = kind == flow::ChunkKind::result;
  const std::optional<Stamp>& at = result ? exchange.reply : exchange.call;
  if (!reads || (!complete && more == More::perhaps) || !at) {
    return;
  }
  MessageNote* note = find(number(at), exchange.connection->number, exchange.xid,
                           result ? rdma::other(exchange.requester) : exchange.requester);
  Stream stream;
  if (note == nullptr || note->reads_reported ||
      !(result ? build_reply(exchange, exchange.reply_message.header, exchange.reply_inline,
                             exchange.reply_inline_length, stream)
               : build_call(exchange, stream))) {
    return;
  }
  note->reads_reported = true;
  if (note->stream >= 0) {  // in place of what was announced
    book_.rpcs[static_cast<size_t>(note->stream)].stream = std::move(stream);
    return;
  }
  note->stream = keep(std::move(stream), *note);
  note->completed_in = frame_;
  book_.add(Note::Kind::rpc, static_cast<size_t>(note->stream), frame_, frame_);
}

// --- the end of an exchange ---

void Scribe::note(const flow::Exchange& exchange) {
  report_read(exchange, flow::ChunkKind::read, More::none);
  report_read(exchange, flow::ChunkKind::result, More::none);
  if (!exchange.reply || !exchange.call) {
    return;
  }
  const uint32_t connection = exchange.connection->number;
  MessageNote* call = find(number(exchange.call), connection, exchange.xid, exchange.requester);
  MessageNote* reply =
      find(number(exchange.reply), connection, exchange.xid, rdma::other(exchange.requester));
  if (call == nullptr || reply == nullptr) {
    return;
  }
  call->reply = reply->frame;
  reply->call = call->frame;
  call->latency_ns = reply->latency_ns = reply->time_ns - call->time_ns;
  if (!reply->rpc && exchange.procedure) {
    reply->rpc = {exchange.procedure->program, exchange.procedure->version, exchange.procedure->procedure};
  }
  Stream stream;
  if (reply->stream < 0 && !reply->error && exchange.reply_message.kept &&
      reduced_reply(exchange.reply_message.header) &&
      build_reply(exchange, exchange.reply_message.header, exchange.reply_inline,
                  exchange.reply_inline_length, stream)) {
    reply->stream = keep(std::move(stream), *reply);
  }
}

MessageNote* Scribe::find(uint32_t frame, uint32_t connection, uint32_t xid, rdma::Side from) {
  const uint32_t place = place_of(frame, connection, xid, from);
  return place == kNoMessage ? nullptr : &book_.messages[place];
}

uint32_t Scribe::place_of(uint32_t frame, uint32_t connection, uint32_t xid, rdma::Side from) const {
  for (const Note& note : book_.of_frame.of(frame)) {
    if (note.kind != Note::Kind::message) {
      continue;
    }
    const MessageNote& message = book_.messages[note.index];
    if (message.xid == xid && message.from == from && message.connection != nullptr &&
        message.connection->number == connection) {
      return note.index;
    }
  }
  return kNoMessage;
}

// Which copy of its Reply arrived may show long after the Reply itself.
void Scribe::note_times(const flow::Exchange& exchange) {
  const uint32_t on = exchange.connection->number;
  MessageNote* const call = find(number(exchange.call), on, exchange.xid, exchange.requester);
  MessageNote* const reply = find(number(exchange.reply), on, exchange.xid, rdma::other(exchange.requester));
  const MessageNote* const home = reply != nullptr ? reply : call;
  if (home == nullptr) {
    return;
  }
  const auto index = static_cast<int64_t>(book_.times.size());
  RpcTimes& times = book_.times.emplace_back();
  times.frame = home->frame;
  times.known_from = frame_;
  times.connection = home->connection;
  fill(times, exchange);
  if (home->frame != frame_ && home->known_from != frame_) {
    book_.add_late(Note::Kind::times, static_cast<size_t>(index), frame_);
  }
  note_acknowledged(book_, exchange, static_cast<size_t>(index));
  for (MessageNote* const message : {call, reply}) {
    if (message != nullptr) {
      message->times = index;
    }
  }
}

}  // namespace steertag::plugin
