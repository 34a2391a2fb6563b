#include "sanitize/survey.h"

#include <algorithm>
#include <utility>

#include "nfs/cursor.h"
#include "nfs/padded.h"
#include "nfs/status.h"
#include "rpcrdma/config.h"

namespace steertag::sanitize {

using nfs::Meaning;

namespace {

Options for_survey(Options options) {
  options.for_rewriting = options.for_rules = true;
  options.payload_limit = Survey::kMostBytes;
  return options;
}

std::tuple<rdma::Side, uint32_t, uint32_t, uint64_t> key_of(rdma::Side from, uint32_t xid, const Stamp& at) {
  return {from, xid, at.file, at.number};
}

// A chunk whose content is an RPC message, and not the data that one is about.
bool is_message(const flow::SegmentFlow& segment) {
  return segment.kind == flow::ChunkKind::reply || (flow::for_reading(segment.kind) && segment.position == 0);
}

// The same, and what is put into one: a Read chunk where no data belongs is read as what does.
bool read_as_message(const flow::SegmentFlow& segment) {
  return segment.kind == flow::ChunkKind::reply || flow::for_reading(segment.kind);
}

// What a walk over the inline bytes alone finds to be structure stays where these are in the whole message.
class InlineReading final : public nfs::Marks {
 public:
  InlineReading(Disguise& disguise, std::span<const base::Stretch> stretches, Bytes inlined)
      : disguise_(disguise), stretches_(stretches), inlined_(inlined) {}
  void rewind(uint64_t /*offset*/) override {}
  void mark(uint64_t offset, uint64_t length, Meaning meaning) override {
    uint64_t begin = 0;  // of the stretch, in the message
    for (const base::Stretch& stretch : stretches_) {
      const uint64_t from = std::max(offset, stretch.at);
      const uint64_t to = std::min(offset + length, stretch.at + stretch.length);
      if (meaning == Meaning::structure && stretch.data.data() == inlined_.data() && from < to) {
        disguise_.keep(begin + (from - stretch.at), to - from);
      }
      begin += stretch.length;
    }
  }

 private:
  Disguise& disguise_;
  std::span<const base::Stretch> stretches_;
  Bytes inlined_;
};

// How many bytes of the transport header are known to say nothing of anybody.
size_t plain_header(const flow::Message& message) {
  constexpr size_t kThroughOption = 28;  // of an RDMA2_OPTIONAL, up to its information
  const size_t all = message.decoded.header_length;
  return flow::unknown_option(message) ? std::min(all, kThroughOption) : all;
}

// Bytes: of a status; of the count in front of what RPCSEC_GSS has wrapped (RFC 2203 §5.3.2).
constexpr uint32_t kStatus = 4, kCount = 4;

nfs::StatusPlace place_in_results(const flow::Exchange& x) {
  return x.procedure ? nfs::status_place(x.procedure->program, x.procedure->version, x.procedure->procedure)
                     : nfs::StatusPlace::none;
}

nfs::StatusPlace place_of_status(const flow::Exchange& x) {
  return x.answer && x.answer->succeeded() ? place_in_results(x) : nfs::StatusPlace::none;
}

// The first word of a Reply's results tells how the open Call of its XID has fared, also where it turns out
// to answer another one, which was not captured.
bool shows_status(const flow::Message& message) {
  if (message.direction != flow::Direction::reply || message.rpc == nullptr || !message.rpc->succeeded()) {
    return false;
  }
  const flow::Exchange* open = message.standing->open;
  return open != nullptr && place_in_results(*open) == nfs::StatusPlace::first;
}

}  // namespace

Survey::Survey(const Key& key, Options options, Plan& plan)
    : key_(key.derive('S')), plan_(plan), analyzer_(*this, for_survey(std::move(options))) {}

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
    followed_.erase(&closed->connection);
    plan_.forget(closed->connection);
  }
}

size_t Survey::waiting(const track::Connection& connection) const {
  size_t count = 0;
  for (const auto& [exchange, pieces] : placed_) {
    count += pieces.size();
  }
  if (const auto found = followed_.find(&connection); found != followed_.end()) {
    const Followed& followed = found->second;
    count += followed.pieces[0].size() + followed.pieces[1].size() + followed.sent.size();
  }
  return count;
}

void Survey::on_piece(const track::Connection& connection, const rdma::RdmaOp& op) {
  if (op.kind != rdma::OpKind::send || op.payload.empty()) {
    return;
  }
  if (const auto place = plan_.place_of(connection, op)) {
    std::deque<Piece>& pieces = followed_[&connection].pieces[rdma::index(op.from)];
    pieces.push_back({op.end_position, op.message_offset, static_cast<uint32_t>(op.payload.size()), *place});
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

void Survey::on_message(const flow::Message& message) {
  Sent sent{.pieces = pieces_of(message),
            .header_length = message.decoded.header_length,
            .rpc_length = 0,
            .status = false,
            .padding = message.header->padding,
            .returned = {}};
  const size_t plain = plain_header(message);
  const base::Stretch rest{slice(message.bytes, plain), nullptr,
                           message.length - std::min<uint64_t>(message.length, plain), 0};
  write(sent.pieces, 0, slice(message.bytes, 0, plain), Known::alone);

  Disguise disguise(key_, {&rest, 1});
  if (plain == sent.header_length && flow::rpc_type_captured(message)) {
    disguise.take_header({message.payload, nullptr, message.payload_length});
    sent.rpc_length = static_cast<uint32_t>(disguise.done());
    if ((sent.status = shows_status(message))) {
      disguise.mark(sent.rpc_length, kStatus, Meaning::structure);
    }
  } else if (plain < sent.header_length && !message.header->optional.empty()) {
    const uint64_t info = message.header->optional[0].info.size();
    disguise.mark(0, info, Meaning::opaque);
    disguise.mark(info, (4 - info % 4) % 4, Meaning::pad);
  }
  disguise.finish(message.conf_rdma ? Meaning::structure : Meaning::opaque);
  write(sent.pieces, plain, disguise.bytes(0), Known::alone);

  if (message.header->conveys_rpc() && !message.conf_rdma) {
    for (const rpcrdma::WriteChunk& chunk : message.header->chunks.writes) {
      sent.returned.push_back(chunk.length());
    }
    auto& waiting = followed_[message.connection].sent;
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
  std::vector<Placed>& placed = placed_[&seen.exchange];
  const auto place = plan_.place_of(*seen.exchange.connection, seen.op);
  if (place && placed.size() < kMostPlaced) {
    placed.push_back({static_cast<size_t>(&seen.segment - &seen.exchange.segments[0]), seen.offset,
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
  const std::optional<Sent> reply = take(rdma::other(x.requester), x.reply);
  if (const auto placed = placed_.find(&x); placed != placed_.end()) {
    std::stable_sort(placed->second.begin(), placed->second.end(),
                     [](const Placed& one, const Placed& two) { return one.segment < two.segment; });
  }
  call_.clear();
  if (call) {
    walk_call(x, *call);
  }
  if (reply) {
    walk_reply(x, *reply);
  }
}

// Of the message that is laid out.
Disguise Survey::disguise_of(const flow::Exchange& x) {
  carriers_.clear();
  for (size_t i = 0; i < x.segments.size(); ++i) {
    if (const Bytes data = x.segments[i].data(); !data.empty()) {
      carriers_.emplace(data.data(), i);
    }
  }
  Disguise disguise(key_, layout_.stretches());
  for (size_t i = 0; i < layout_.stretches().size(); ++i) {
    const auto carrier = carriers_.find(layout_.stretches()[i].data.data());
    if (carrier != carriers_.end() && !is_message(x.segments[carrier->second])) {
      disguise.carries_data(i);
    }
  }
  return disguise;
}

// Of the message that is laid out, whose header the disguise has then, and hears of the rest.
nfs::Stream Survey::begin_walk(Disguise& disguise) const {
  nfs::Stream stream(layout_.stretches(), layout_.length());
  stream.behind = base::Behind::read;
  disguise.take_header(stream);
  stream.marks = &disguise;
  return stream;
}

void Survey::walk_call(const flow::Exchange& x, const Sent& sent) {
  if (!flow::lay_out_call(x, layout_)) {  // its Positions cannot be
    layout_.clear();
    layout_.append({x.call_inline, nullptr, x.call_inline_length, 0});
  }
  if (layout_.stretches().empty()) {
    return;
  }
  Disguise disguise = disguise_of(x);
  const nfs::Stream stream = begin_walk(disguise);
  if (sent.padding) {
    nfs::walk_padded_call(stream, *sent.padding, sent.header_length, call_);
  } else {
    nfs::walk_call(stream, call_);
  }
  integrity_ = call_.header_known && nfs::open_to_read(call_.rpc);
  wrapped_ = call_.header_known && rpcrdma::wrapped(call_.rpc.credential);
  if (wrapped_) {
    disguise.mark(call_.offset, kCount, Meaning::structure);
  }
  auto inside = integrity_ ? nfs::inside_integrity(stream, call_.offset) : std::nullopt;
  if (inside) {
    disguise.mark(call_.offset, inside->header_length - call_.offset, Meaning::structure);
    header_ = call_.rpc;
    header_.credential.flavor = rpcrdma::Flavor::none;
    inside->header = &header_;
    nfs::walk_call(*inside, call_);
  }
  disguise.finish();
  // A chunk in the midst of something derails the walk; without it the COMPOUND may be whole.
  if (nfs::is_compound(call_.rpc) && !wrapped_ && !call_.operations_walked()) {
    InlineReading reading(disguise, layout_.stretches(), x.call_inline);
    nfs::Stream reduced(x.call_inline, nullptr, x.call_inline_length);
    reduced.marks = &reading;
    nfs::walk_call(reduced, reduced_);
  }
  put_back(x, x.call_inline, sent, disguise);
}

// How MOUNT and NLM answered, and NFS where the Call's credential was cut, is read without a walk.
void Survey::keep_status(const flow::Exchange& x, const nfs::Stream& stream) {
  const nfs::StatusPlace place = place_of_status(x);
  if (place == nfs::StatusPlace::none) {
    return;
  }
  const uint64_t begin = reply_.offset;
  reply_.Walk::clear();
  nfs::Cursor at(stream, begin, reply_);
  if (place == nfs::StatusPlace::after_cookie) {
    at.opaque();
  }
  at.word();
}

void Survey::walk_reply(const flow::Exchange& x, const Sent& sent) {
  if (!flow::lay_out_reply(x, layout_) || layout_.stretches().empty()) {
    return;
  }
  Disguise disguise = disguise_of(x);
  const nfs::Stream stream = begin_walk(disguise);
  if (wrapped_) {
    reply_.clear();
    const bool whole = nfs::read_header(stream, header_, reply_) && header_.succeeded();
    const uint64_t begin = reply_.offset;
    if (whole) {
      disguise.mark(begin, kCount, Meaning::structure);
    }
    if (auto inside = whole && integrity_ ? nfs::inside_integrity(stream, begin) : std::nullopt) {
      disguise.mark(begin, inside->header_length - begin, Meaning::structure);
      inside->header = &header_;
      nfs::walk_reply(*inside, call_, sent.returned, reply_);
    } else if (whole && integrity_ && place_of_status(x) == nfs::StatusPlace::first) {
      constexpr uint64_t kThroughStatus =
          12;  // the length, which is wrong, and the sequence number before it
      disguise.mark(begin, kThroughStatus, Meaning::structure);
    }
  } else if (sent.padding) {
    nfs::walk_padded_reply(stream, *sent.padding, sent.header_length, call_, sent.returned, reply_);
  } else {
    nfs::walk_reply(stream, call_, sent.returned, reply_);
  }
  if (reply_.reason == nfs::Reason::call_unknown || reply_.reason == nfs::Reason::unknown_program) {
    keep_status(x, stream);
  }
  // Where an item and what follows it are is not known.
  if (reply_.reason == nfs::Reason::ambiguous && !reply_.items.empty()) {
    disguise.rewind(reply_.items[0].position);
  }
  disguise.finish();
  put_back(x, x.reply_inline, sent, disguise);
  if (place_of_status(x) == nfs::StatusPlace::first && sent.rpc_length != 0) {
    write(sent.pieces, sent.header_length + sent.rpc_length, slice(x.reply_inline, sent.rpc_length, kStatus),
          known());
  }
}

// To where the parts of the message came from.
void Survey::put_back(const flow::Exchange& x, const std::vector<uint8_t>& inlined, const Sent& sent,
                      const Disguise& disguise) {
  const auto placed = placed_.find(&x);
  const std::span<const base::Stretch> stretches = layout_.stretches();
  for (size_t i = 0; i < stretches.size(); ++i) {
    const base::Stretch& stretch = stretches[i];
    const Bytes bytes = disguise.bytes(i);
    if (stretch.data.data() == inlined.data()) {
      // What is read of it alone stays as it is, wherever a chunk is put into it.
      const uint64_t alone = sent.rpc_length + (sent.status ? kStatus : 0);
      const uint64_t settled = alone - std::min(alone, stretch.at);
      write(sent.pieces, sent.header_length + stretch.at + settled, slice(bytes, settled), known());
      continue;
    }
    const auto carrier = carriers_.find(stretch.data.data());
    if (placed == placed_.end() || carrier == carriers_.end() || bytes.empty()) {
      continue;
    }
    const auto behind = [](size_t segment, const Placed& piece) { return segment < piece.segment; };
    auto of_it = std::upper_bound(placed->second.begin(), placed->second.end(), carrier->second, behind);
    while (of_it != placed->second.begin() && std::prev(of_it)->segment == carrier->second) {
      --of_it;
    }
    for (; of_it != placed->second.end() && of_it->segment == carrier->second; ++of_it) {
      const Placed& piece = *of_it;
      const Piece part{.end_position = 0, .offset = 0, .length = piece.length, .place = piece.place};
      const uint64_t from = std::max(piece.offset, stretch.at);  // in the segment
      if (from < stretch.at + bytes.size()) {
        write({part}, from - piece.offset + piece.skip, slice(bytes, from - stretch.at), known());
      }
    }
  }
}

}  // namespace steertag::sanitize
