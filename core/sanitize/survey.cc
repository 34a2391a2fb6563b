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
  options.for_rewriting = true;
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

// How many bytes of the transport header are known to say nothing of anybody.
size_t plain_header(const flow::Message& message) {
  constexpr size_t kThroughOption = 28;  // of an RDMA2_OPTIONAL, up to its information
  const size_t all = message.decoded.header_length;
  return flow::unknown_option(message) ? std::min(all, kThroughOption) : all;
}

nfs::StatusPlace place_of_status(const flow::Exchange& x) {
  return x.procedure && x.answer && x.answer->succeeded()
             ? nfs::status_place(x.procedure->program, x.procedure->version, x.procedure->procedure)
             : nfs::StatusPlace::none;
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

void Survey::write(const std::vector<Piece>& pieces, uint64_t at, Bytes bytes) {
  for (const Piece& piece : pieces) {
    const uint64_t begin = std::max<uint64_t>(at, piece.offset);
    const uint64_t end = std::min<uint64_t>(at + bytes.size(), uint64_t{piece.offset} + piece.length);
    if (begin < end) {
      plan_.overlay(piece.place, piece.length, begin - piece.offset, slice(bytes, begin - at, end - begin));
    }
  }
}

void Survey::on_message(const flow::Message& message) {
  Sent sent{.pieces = pieces_of(message),
            .header_length = message.decoded.header_length,
            .rpc_length = 0,
            .padding = message.header->padding,
            .returned = {}};
  const size_t plain = plain_header(message);
  const base::Stretch rest{slice(message.bytes, plain), nullptr,
                           message.length - std::min<uint64_t>(message.length, plain), 0};
  write(sent.pieces, 0, slice(message.bytes, 0, plain));

  Disguise disguise(key_, {&rest, 1});
  if (plain == sent.header_length && flow::rpc_type_captured(message)) {
    disguise.take_header({message.payload, nullptr, message.payload_length});
    sent.rpc_length = static_cast<uint32_t>(disguise.done());
  } else if (plain < sent.header_length && !message.header->optional.empty()) {
    const uint64_t info = message.header->optional[0].info.size();
    disguise.mark(0, info, Meaning::opaque);
    disguise.mark(info, (4 - info % 4) % 4, Meaning::pad);
  }
  disguise.finish(message.conf_rdma ? Meaning::structure : Meaning::opaque);
  write(sent.pieces, plain, disguise.bytes(0));

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

void Survey::on_placement(const PlacementSeen& seen) {
  if (!is_message(seen.segment) || seen.op.payload.empty()) {
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
  call_.clear();
  if (call) {
    walk_call(x, *call);
  }
  if (reply) {
    walk_reply(x, *reply);
  }
}

// Of the message that is laid out. What the plan has no place for is left out of it: the data.
Disguise Survey::disguise_of(const flow::Exchange& x) const {
  std::vector<base::Stretch> stretches(layout_.stretches().begin(), layout_.stretches().end());
  for (base::Stretch& stretch : stretches) {
    const bool data =
        std::any_of(x.segments.begin(), x.segments.end(), [&](const flow::SegmentFlow& segment) {
          return !is_message(segment) && segment.data().data() == stretch.data.data();
        });
    stretch.data = data ? Bytes() : stretch.data;
  }
  return {key_, stretches};
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
  if (!flow::lay_out_call(x, layout_) || layout_.stretches().empty()) {
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
  auto inside = integrity_ ? nfs::inside_integrity(stream, call_.offset) : std::nullopt;
  if (inside) {
    disguise.mark(call_.offset, inside->header_length - call_.offset, Meaning::structure);
    header_ = call_.rpc;
    header_.credential.flavor = rpcrdma::Flavor::none;
    inside->header = &header_;
    nfs::walk_call(*inside, call_);
  }
  disguise.finish();
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
  if (integrity_) {
    reply_.clear();
    const bool whole = nfs::read_header(stream, header_, reply_) && header_.succeeded();
    const uint64_t begin = reply_.offset;
    if (auto inside = whole ? nfs::inside_integrity(stream, begin) : std::nullopt) {
      disguise.mark(begin, inside->header_length - begin, Meaning::structure);
      inside->header = &header_;
      nfs::walk_reply(*inside, call_, sent.returned, reply_);
    } else if (whole && place_of_status(x) == nfs::StatusPlace::first) {
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
    write(sent.pieces, sent.header_length + sent.rpc_length, slice(x.reply_inline, sent.rpc_length, 4));
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
      const uint64_t known = sent.rpc_length - std::min<uint64_t>(sent.rpc_length, stretch.at);
      write(sent.pieces, sent.header_length + stretch.at + known, slice(bytes, known));
      continue;
    }
    if (placed == placed_.end()) {
      continue;
    }
    for (const Placed& piece : placed->second) {
      if (x.segments[piece.segment].data().data() != stretch.data.data()) {
        continue;
      }
      const Piece part{.end_position = 0, .offset = 0, .length = piece.length, .place = piece.place};
      const uint64_t from = std::max(piece.offset, stretch.at);  // in the segment
      if (from < stretch.at + bytes.size()) {
        write({part}, from - piece.offset + piece.skip, slice(bytes, from - stretch.at));
      }
    }
  }
}

}  // namespace steertag::sanitize
