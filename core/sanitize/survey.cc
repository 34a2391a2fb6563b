#include "sanitize/survey.h"

#include <algorithm>
#include <utility>

#include "sanitize/transport_header.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using nfs::Meaning;

namespace {

Options for_survey(Options options) {
  options.for_rewriting = options.for_rules = options.for_placements = true;
  options.payload_limit = Survey::kMostBytes;
  return options;
}

std::tuple<rdma::Side, uint32_t, uint32_t, uint64_t> key_of(rdma::Side from, uint32_t xid, const Stamp& at) {
  return {from, xid, at.file, at.number};
}

// Its content is an RPC message or put into one: a Read chunk where no data belongs is read as what does.
bool read_as_message(const flow::SegmentFlow& segment) {
  return segment.kind == flow::ChunkKind::reply || flow::for_reading(segment.kind);
}

// An argument of its own, as the data of a WRITE is: what it holds says nothing of other arguments.
bool is_data_item(const flow::SegmentFlow& segment) {
  return flow::for_reading(segment.kind) && segment.position != 0;
}

constexpr size_t kXid = 4;        // bytes
constexpr uint32_t kConfig = 12;  // bytes of what CONF_RDMA asks for, or grants

// Whether the message ends behind what CONF_RDMA asks for, or grants, as a valid one does. Under integrity
// its length is in front, and a checksum behind (RFC 2203 §5.3.2.2).
bool ends_behind_config(const flow::Message& message) {
  constexpr uint32_t kNumber = 4;  // bytes of the sequence number, which the length counts, too
  const uint32_t begin = message.rpc_decoded.header_length;
  const uint64_t end = uint64_t{message.config->at} + kConfig;
  if (message.config->at == begin) {
    return message.payload_length == end;
  }
  const auto word = [&](uint64_t at) {
    const Bytes run = slice(message.payload, at, kWord);
    return run.size() == kWord ? std::optional(wire::big_endian<uint32_t>(run.data())) : std::nullopt;
  };
  const std::optional<uint32_t> checksum = word(end);
  return word(begin) == kConfig + kNumber &&
         (!checksum || message.payload_length == end + kWord + (uint64_t{*checksum} + 3) / 4 * 4);
}

// Of an RPC message that ends too early the XID may be all that there is.
bool begins_with_xid(const flow::Message& message) {
  const Bytes xid = slice(message.payload, 0, kXid);
  return xid.size() == kXid && wire::big_endian<uint32_t>(xid.data()) == message.header->xid;
}

// How many PSNs a Read Request takes depends on a length that may be content.
bool takes_psns_by_length(const link::Packet& packet) {
  constexpr uint8_t kOperation = 0x1F;  // without the transport service
  return !packet.payload.empty() &&
         (packet.payload[0] & kOperation) == static_cast<uint8_t>(rdma::roce::Opcode::read_request);
}

}  // namespace

Survey::Survey(const Key& key, Options options, Plan& plan)
    : key_(key.derive('S')),
      plan_(plan),
      reading_(key_),
      decoder_(options.intake().ports),
      analyzer_(*this, for_survey(std::move(options))) {}

// A damaged segment of TCP is none, to the Rewriter as to its receiver; nor is a damaged Read Request. Audit
// reads any other damaged packet of RoCE.
void Survey::feed(const Frame& frame) {
  const link::Packet packet = decoder_.decode(frame);
  if (!decoder_.assembled() && plan_.soundness().damaged(packet)) {
    if (packet.carrier == link::Carrier::tcp || takes_psns_by_length(packet)) {
      return;
    }
    note_damaged(frame.at);
  }
  names_.add(frame.at, packet);
  analyzer_.feed(frame);
}

void Survey::note_damaged(const Stamp& at) {
  damaged_.insert({at.file, at.number});
  if (damaged_.size() > kMostDamaged) {
    damaged_.erase(damaged_.begin());
  }
}

bool Survey::is_damaged(const rdma::RdmaOp& op) const {
  return std::any_of(op.frames.begin(), op.frames.end(), [&](const Stamp& at) {
    return damaged_.contains({at.file, at.number});
  });
}

void Survey::on(const Event& event) {
  if (const auto* piece = std::get_if<PieceSeen>(&event)) {
    on_piece(piece->connection, piece->op);
  } else if (const auto* unit = std::get_if<UnitSeen>(&event)) {
    plan_.add(unit->connection, unit->unit);
  } else if (const auto* message = std::get_if<MessageSeen>(&event)) {
    on_message(message->message);
  } else if (const auto* placement = std::get_if<PlacementSeen>(&event)) {
    on_placement(*placement);
  } else if (const auto* incident = std::get_if<IncidentSeen>(&event)) {
    on_incident(incident->incident);
  } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
    on_exchange(done->exchange);
    placed_.erase(&done->exchange);
  } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
    on_close(closed->connection);
  }
}

size_t Survey::waiting(const track::Connection& connection) const {
  size_t count = 0;
  for (const auto& [exchange, placed] : placed_) {
    count += placed.pieces.size();
  }
  if (const auto found = followed_.find(&connection); found != followed_.end()) {
    const Followed& followed = found->second;
    count += followed.pieces[0].size() + followed.pieces[1].size() + followed.sent.size();
  }
  return count;
}

std::optional<Place> Survey::place_of(const track::Connection& connection, const rdma::RdmaOp& op) const {
  const auto name = op.frames.empty() ? std::nullopt : names_.find(op.frames.back());
  return plan_.place_of(connection, op, name);
}

void Survey::on_piece(const track::Connection& connection, const rdma::RdmaOp& op) {
  if (op.kind != rdma::OpKind::send || op.payload.empty()) {
    return;
  }
  if (const auto place = place_of(connection, op)) {
    std::deque<Piece>& pieces = followed_[&connection].pieces[rdma::index(op.from)];
    pieces.push_back({op.end_position, op.message_offset, static_cast<uint32_t>(op.payload.size()), *place,
                      is_damaged(op) || plan_.damaged(*place)});
    if (pieces.size() > kMostPieces) {
      pieces.pop_front();
    }
  }
}

// Those of the Send that ends where this message does.
std::vector<Survey::Piece> Survey::pieces_of(const flow::Message& message) {
  std::deque<Piece>& all = followed_[message.connection].pieces[rdma::index(message.from)];
  const auto behind = std::find_if(all.begin(), all.end(),
                                   [&](const Piece& p) { return p.end_position > message.end_position; });
  auto begin = behind;
  while (begin != all.begin()) {
    --begin;
    if (begin->offset == 0) {
      break;
    }
  }
  std::vector<Piece> pieces(begin, behind);
  all.erase(all.begin(), behind);
  return pieces;
}

void Survey::write(const std::vector<Piece>& pieces, uint64_t at, Bytes bytes, Known known) {
  for (const Piece& piece : pieces) {
    const uint64_t begin = std::max<uint64_t>(at, piece.offset);
    const uint64_t end = std::min<uint64_t>(at + bytes.size(), uint64_t{piece.offset} + piece.length);
    if (begin < end) {
      plan_.overlay(piece.place, piece.length, begin - piece.offset, slice(bytes, begin - at, end - begin),
                    known);
    }
  }
}

// Whether the Call that it answers was found where content may look like one.
bool Survey::answers_uncertain(const flow::Message& reply, const SentMap& waiting) {
  const flow::Exchange* open = reply.standing->open;
  if (open == nullptr || !open->call) {
    return false;
  }
  const auto call = waiting.find(key_of(open->requester, open->xid, *open->call));
  return call != waiting.end() && call->second.uncertain;
}

void Survey::on_message(const flow::Message& message) {
  const HeaderImage header = header_image(key_, message);
  auto& waiting = followed_[message.connection].sent;
  const bool uncertain = !plan_.shows(*message.connection, message.from, message.end_position);
  Sent sent{
      .pieces = uncertain ? std::vector<Piece>() : pieces_of(message),
      .front = {message.decoded.header_length, header.hidden, message.header->padding, {}},
      .uncertain = uncertain,
  };
  sent.uncertain |=
      std::any_of(sent.pieces.begin(), sent.pieces.end(), [](const Piece& piece) { return piece.damaged; });
  write(sent.pieces, 0, header.bytes, Known::alone);
  if (!sent.uncertain) {
    plan_.add_targets(*message.connection, *message.header);
  }

  const uint32_t front = message.decoded.header_length;
  const base::Stretch rest{slice(message.bytes, front), nullptr,
                           message.length - std::min(message.length, front), 0};
  Disguise disguise(key_, {&rest, 1});
  if (flow::rpc_type_captured(message) && header.rpc_follows) {
    disguise.take_header({message.payload, nullptr, message.payload_length}, message.header->xid);
    sent.rpc_length = static_cast<uint32_t>(disguise.done());
    if ((sent.status = shows_status(message) && !answers_uncertain(message, waiting))) {
      disguise.keep_status(sent.rpc_length);
    }
    if (message.config && ends_behind_config(message)) {
      disguise.mark(sent.rpc_length, message.config->at + kConfig - sent.rpc_length, Meaning::bits);
    }
  } else if (begins_with_xid(message)) {
    disguise.mark(0, kXid, Meaning::structure);
  }
  disguise.finish();
  write(sent.pieces, front, disguise.bytes(0), Known::alone);
  sent.hidden = !sent.uncertain && (header.hidden || disguise.doubted());
  hidden_ += sent.hidden ? 1 : 0;

  if (message.header->conveys_rpc() && !message.conf_rdma && !header.rpc_inside) {
    for (const rpcrdma::WriteChunk& chunk : message.header->chunks.writes) {
      sent.front.returned.push_back(chunk.length());
    }
    if (waiting.size() >= kMostSent) {
      waiting.clear();
    }
    waiting[key_of(message.from, message.header->xid, message.at)] = std::move(sent);
  }
}

// Of RoCE, other content is another payload.
void Survey::on_incident(const flow::Incident& incident) {
  const rdma::Anomaly* anomaly = incident.anomaly();
  if (anomaly != nullptr && anomaly->kind == rdma::Anomaly::Kind::changed_retransmission &&
      incident.connection->transport == rdma::Transport::iwarp) {
    plan_.add_changed(anomaly->at);
  }
}

void Survey::on_placement(const PlacementSeen& seen) {
  if (!read_as_message(seen.segment) || seen.op.payload.empty()) {
    return;
  }
  const flow::Exchange& x = seen.exchange;
  if (seen.op.kind == rdma::OpKind::read_response && plan_.broken(*x.connection, rdma::other(seen.op.from))) {
    return;  // what asked for it may be content
  }
  PlacedOf& placed = placed_[&x];
  if (!placed.is_of(x)) {
    placed = {x.connection, x.xid, x.call, {}, false};
    if (!x.connection->rpcrdma) {
      followed_[x.connection].early.push_back(&x);
    }
  }
  const auto place = place_of(*x.connection, seen.op);
  const bool damaged = place && plan_.damaged(*place);
  placed.damaged |= is_damaged(seen.op) || (damaged && !is_data_item(seen.segment));
  if (place && !damaged && placed.pieces.size() < kMostPlaced) {
    placed.pieces.push_back({static_cast<size_t>(&seen.segment - &x.segments[0]), seen.offset,
                             seen.segment.target.offset + seen.offset - seen.op.memory.offset,
                             static_cast<uint32_t>(seen.op.payload.size()), *place});
  }
}

void Survey::on_exchange(const flow::Exchange& x) {
  Followed& followed = followed_[x.connection];
  const auto take = [&](rdma::Side from, const std::optional<Stamp>& at) {
    const auto found = at ? followed.sent.find(key_of(from, x.xid, *at)) : followed.sent.end();
    std::optional<Sent> sent;
    if (found != followed.sent.end()) {
      sent = std::move(found->second);
      followed.sent.erase(found);
    }
    return sent;
  };
  const std::optional<Sent> call = take(x.requester, x.call);
  std::optional<Sent> reply = take(rdma::other(x.requester), x.reply);
  if (call && call->uncertain) {
    return;
  }
  if (reply && reply->uncertain) {
    reply.reset();
  }
  if (const auto placed = placed_.find(&x); placed != placed_.end()) {
    if (placed->second.damaged) {
      return;
    }
    std::stable_sort(placed->second.pieces.begin(), placed->second.pieces.end(),
                     [](const Placed& one, const Placed& two) { return one.segment < two.segment; });
  }
  reading_.clear();
  if (call) {
    if (const auto disguise = reading_.call(x, call->front)) {
      put_back(x, x.call_inline, *call, *disguise);
      hidden_ += disguise->doubted() && !call->hidden ? 1 : 0;
    }
  }
  if (reply) {
    if (const auto disguise = reading_.reply(x, reply->front)) {
      put_back(x, x.reply_inline, *reply, *disguise);
      hidden_ += disguise->doubted() && !reply->hidden ? 1 : 0;
    }
    if (begins_with_status(x) && reply->rpc_length != 0) {
      const base::Stretch status{slice(x.reply_inline, reply->rpc_length, kStatus), nullptr, kStatus, 0};
      Disguise disguise(key_, {&status, 1});
      if (!reading_.other_program()) {
        disguise.keep_status(0);
      }
      disguise.finish();
      write(reply->pieces, reply->front.header_length + reply->rpc_length, disguise.bytes(0), known());
    }
  }
}

// Of one that was never claimed no Exchange is reported.
void Survey::on_close(const track::Connection& connection) {
  if (const auto found = followed_.find(&connection); found != followed_.end()) {
    for (const flow::Exchange* exchange : found->second.early) {
      const auto placed = placed_.find(exchange);
      if (placed != placed_.end() && placed->second.connection == &connection) {
        placed_.erase(placed);
      }
    }
    followed_.erase(found);
  }
  plan_.forget(connection);
}

// To where the parts of the message that was read came from.
void Survey::put_back(const flow::Exchange& x, const std::vector<uint8_t>& inlined, const Sent& sent,
                      const Disguise& disguise) {
  const std::span<const base::Stretch> stretches = reading_.stretches();
  for (size_t i = 0; i < stretches.size(); ++i) {
    const base::Stretch& stretch = stretches[i];
    const Bytes bytes = disguise.bytes(i);
    if (stretch.data.data() == inlined.data()) {
      // What is read of it alone stays as it is, wherever a chunk is put into it.
      const uint64_t alone = sent.rpc_length + (sent.status ? kStatus : 0);
      const uint64_t settled = alone - std::min(alone, stretch.at);
      write(sent.pieces, sent.front.header_length + stretch.at + settled, slice(bytes, settled), known());
      continue;
    }
    for (const Placed& piece : placed_in(x, reading_.carrier(stretch))) {
      const Piece part{.length = piece.length, .place = piece.place};
      const uint64_t from = std::max(piece.offset, stretch.at);  // in the segment
      if (from < stretch.at + bytes.size()) {
        write({part}, from - piece.offset + piece.skip, slice(bytes, from - stretch.at), known());
      }
    }
  }
}

// The pieces of that segment; of none, none.
std::span<const Survey::Placed> Survey::placed_in(const flow::Exchange& x,
                                                  std::optional<size_t> segment) const {
  const auto placed = placed_.find(&x);
  if (!segment || placed == placed_.end() || !placed->second.is_of(x)) {
    return {};
  }
  const std::vector<Placed>& all = placed->second.pieces;
  const auto begin =
      std::partition_point(all.begin(), all.end(), [&](const Placed& p) { return p.segment < *segment; });
  const auto end =
      std::partition_point(begin, all.end(), [&](const Placed& p) { return p.segment == *segment; });
  return {begin, end};
}

}  // namespace steertag::sanitize
