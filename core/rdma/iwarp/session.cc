#include "rdma/iwarp/session.h"

#include <algorithm>

#include "link/tcp_options.h"
#include "rdma/iwarp/evidence.h"

namespace steertag::rdma::iwarp {

void Session::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  if (over()) {
    return;
  }
  const auto named = [&](uint16_t port) {
    return std::find(options_->ports.begin(), options_->ports.end(), port) != options_->ports.end();
  };
  if (proof == Proof::undecided && !named_port_) {
    named_port_ = named(segment.tcp.source_port) || named(segment.tcp.destination_port);
  }
  digest_ = segment.tcp.digest;
  tcp_.push(static_cast<unsigned>(index(from)), segment, at, *this);
  report_acknowledged();
  report_room(static_cast<unsigned>(index(from)), segment.tcp, at);
  if (arrivals != nullptr) {
    report_accepted(static_cast<unsigned>(index(from)), segment.tcp);
  }
  release_if_over();
}

// What the peer says of the bytes that it has received.
void Session::report_accepted(unsigned by, const link::TcpFields& tcp) {
  const unsigned sender = 1 - by;
  if (!tcp.ack) {
    return;
  }
  if (const auto twice = link::received_twice(tcp.options, tcp.acknowledgment)) [[unlikely]] {
    arrivals->on_duplicate(side(by), tcp_.offset_of(sender, twice->begin),
                           tcp_.offset_of(sender, twice->end));
  }
  if (accepted_[sender] != tcp_.acknowledged(sender)) {
    accepted_[sender] = tcp_.acknowledged(sender);
    arrivals->on_accepted(side(by), accepted_[sender], tcp_.acknowledged_at(sender));
  }
}

// A segment that acknowledges less than another has is an old one, and its window means nothing (RFC 9293
// §3.10.7.4).
void Session::report_room(unsigned by, const link::TcpFields& tcp, const Stamp& at) {
  const bool full = tcp.window == 0;
  if (half(by).full == full || !tcp.ack || tcp.syn || tcp.rst || proof != Proof::rdma ||
      tcp_.offset_of(1 - by, tcp.acknowledgment) < tcp_.acknowledged(1 - by)) [[likely]] {
    return;
  }
  half(by).full = full;
  listener_->on_room(side(by), !full, at);
}

void Session::report_acknowledged() {
  for (const Side sender : {Side::a, Side::b}) {
    const auto direction = static_cast<unsigned>(index(sender));
    const uint64_t acknowledged = tcp_.acknowledged(direction);
    if (acknowledged_[direction] != acknowledged && tcp_.all_acknowledged(direction)) {
      acknowledged_[direction] = acknowledged;
      listener_->on_acknowledged(other(sender), tcp_.acknowledged_at(direction));
    }
  }
}

void Session::finish(const Stamp& at) {
  if (!over()) {
    tcp_.finish(at, *this);
    report_begun(0);
    report_begun(1);
    report_missing(0);
    report_missing(1);
    release_if_over();
  }
}

void Session::release_if_over() {
  if (!over() || released_) {
    return;
  }
  released_ = true;
  tcp_.release();
  messages_.release();
  for (Half& h : halves_) {
    h.opening.release();
    h.framer.release();
    h.resync.release();
    h.copies.release();
  }
}

void Session::on_bytes(unsigned from, const link::StreamBytes& bytes) {
  if (over()) {
    return;
  }
  report_missing(from);
  switch (half(from).phase) {
    case Phase::framed:
      return framed(from, bytes);
    case Phase::opening:
      return open(from, bytes);
    case Phase::waiting:
      // The initiator goes on, so it has the Reply; the capture has not, and
      // with it the answer to the question of markers.
      half(from).gapless = false;
      half(from).phase = Phase::searching;
      return search(from, bytes);
    case Phase::searching:
      return search(from, bytes);
  }
}

// --- the setup ---

void Session::open(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  const uint32_t used = h.opening.add(bytes);
  link::StreamBytes rest = bytes;
  rest.offset += used;
  rest.length -= used;
  rest.captured = slice(bytes.captured, used);
  rest.segment_start = bytes.segment_start && used == 0;
  switch (h.opening.state()) {
    case Opening::State::incomplete:
      return;
    case Opening::State::refused:
      watch_key(from, bytes.at);
      if (tcp_.from_start(from) && h.opening.begin() == 0 && proof == Proof::undecided) {
        proof = Proof::not_rdma;
        return;
      }
      h.phase = Phase::searching;
      h.opening.release();
      return search(from, bytes);
    case Opening::State::complete:
      opened(from, rest.offset, bytes.at);
      h.opening.release();
      if (rest.length > 0) {
        on_bytes(from, rest);
      }
      return;
  }
}

// RFC 5044 §7.1: the Request says what its sender wants to receive, and so does
// the Reply; a CRC is used where either wants it.
void Session::opened(unsigned from, uint64_t end_offset, const Stamp& at) {
  Half& h = half(from);
  Half& peer = half(1 - from);
  const SetupFrame& frame = h.opening.frame();
  proof = Proof::rdma;
  const bool request = settle_initiator(from, at);
  watch_setup(from, frame);
  (request ? mpa.request_seen : mpa.reply_seen) = true;
  (request ? mpa.request_revision : mpa.reply_revision) = frame.revision;
  mpa.markers[1 - from] = frame.markers();
  if (frame.crc()) {
    mpa.crc = true;
  } else if (mpa.request_seen && mpa.reply_seen && !mpa.crc) {
    mpa.crc = false;
  }
  SetupHalf setup = h.opening.setup();
  if (setup.initiator_depth) {
    mpa.ord[from] = static_cast<uint16_t>(*setup.initiator_depth);
  }
  if (setup.responder_resources) {
    mpa.ird[from] = static_cast<uint16_t>(*setup.responder_resources);
  }

  h.aligned = end_offset;
  h.anchored = h.gapless = true;
  messages_.begin(side(from));
  h.markers.origin = end_offset;
  h.phase = Phase::waiting;
  if (mpa.markers[from]) {
    h.markers.in_use = *mpa.markers[from];
    h.phase = Phase::framed;
    h.framer.begin(end_offset, h.markers);
  }
  if (peer.phase == Phase::waiting) {
    peer.markers.in_use = frame.markers();
    peer.phase = Phase::framed;
    peer.framer.begin(peer.markers.origin, peer.markers);
  }
  listener_->on_setup(side(from), setup, at);
  report_unit(Unit::Kind::setup, from, h.opening.begin(), end_offset - h.opening.begin(), h.opening.bytes());
  if (!request && frame.rejected()) {
    mpa.rejected = true;
    end(EndReason::reject, at);
  }
}

// --- FPDUs ---

void Session::framed(unsigned from, const link::StreamBytes& bytes) {
  Half& h = half(from);
  current_ = from;
  arriving_ = &bytes;
  const std::optional<uint64_t> lost = h.framer.on_bytes(bytes, *this);
  arriving_ = nullptr;
  if (!lost || over()) {
    return;
  }
  lose(from);
  if (!h.anchored) {
    h.aligned.reset();  // perhaps the search was misled
  }
  gap(from, bytes.at);
  link::StreamBytes rest = bytes;
  const uint64_t used = *lost - bytes.offset;
  rest.offset += used;
  rest.length -= static_cast<uint32_t>(used);
  rest.captured = slice(bytes.captured, used);
  rest.segment_start = bytes.segment_start && used == 0;
  if (rest.length > 0) {
    search(from, rest);
  }
}

bool Session::on_fpdu(const Fpdu& fpdu) {
  if (over()) {
    return true;
  }
  if (half(current_).perhaps_marked(mpa.markers[current_]) && !fits_without_markers(fpdu)) [[unlikely]] {
    return false;
  }
  deliver(fpdu);
  return true;
}

void Session::report_unit(Unit::Kind kind, unsigned from, uint64_t begin, uint64_t size, Bytes raw) {
  listener_->on_unit(
      {.kind = kind,
       .from = side(from),
       .begin = begin,
       .sequence = tcp_.sequence_of(from, begin),
       .size = static_cast<uint32_t>(size),
       .raw = raw,
       .markers = half(from).markers,
       .legible = kind == Unit::Kind::fpdu && raw.size() >= std::min<uint64_t>(size, kWeighedBytes)});
}

void Session::report_begun(unsigned from) {
  const Half& h = half(from);
  if (const Bytes begun = h.framer.begun(); h.phase == Phase::framed && !begun.empty()) {
    report_unit(Unit::Kind::open, from, h.framer.boundary(), h.framer.begun_size(), begun);
  }
}

void Session::deliver(const Fpdu& fpdu) {
  report_unit(Unit::Kind::fpdu, current_, fpdu.offset, fpdu.size, fpdu.raw);
  if (options_->verify_crc && mpa.crc.value_or(true) && fpdu.raw.size() == fpdu.size) {
    check_crc(fpdu);
  }
  watch_fpdu(fpdu);
  switch (messages_.on_fpdu(side(current_), fpdu)) {
    case Messages::Outcome::delivered:
      return;
    case Messages::Outcome::unreadable:
      return gap(current_, fpdu.frames.back());
    case Messages::Outcome::terminated:
      return end(EndReason::terminate, fpdu.frames.back());
  }
}

// --- the end ---

void Session::on_fin(unsigned from, const Stamp& at) {
  half(from).finished = true;
  if (half(1 - from).finished) {
    end(EndReason::fin, at);
  }
}

void Session::on_reset(unsigned, const Stamp& at) {
  end(EndReason::reset, at);
}

void Session::end(EndReason reason, const Stamp& at) {
  if (!over()) {
    report_begun(0);
    report_begun(1);
    report_missing(0);
    report_missing(1);
    ended = true;
    listener_->on_end(reason, at);
  }
}

bool Session::from_start() const {
  return (tcp_.from_start(0) || halves_[0].anchored) && (tcp_.from_start(1) || halves_[1].anchored);
}

// Another connection has sequence numbers of its own, in both directions; that both happen to be near those
// in use is left out. A setup frame that comes again, or the same bytes in a file, is where the stream is.
bool Session::opens_new_epoch(Side from, const link::Packet& segment) const {
  const auto direction = static_cast<unsigned>(index(from));
  if (segment.tcp.syn) {
    return tcp_.foreign_syn(direction, segment.tcp.sequence);
  }
  const auto foreign = [&](unsigned of, uint32_t sequence) {
    return tcp_.known(of) && is_foreign(sequence, tcp_.next_sequence(of));
  };
  return opens_like_mpa(segment.payload) &&
         (foreign(direction, segment.tcp.sequence) ||
          (segment.tcp.ack && foreign(1 - direction, segment.tcp.acknowledgment)));
}

std::optional<uint32_t> Session::next_sequence(Side from) const {
  const auto direction = static_cast<unsigned>(index(from));
  return tcp_.known(direction) ? std::optional(tcp_.next_sequence(direction)) : std::nullopt;
}

bool Session::goes_on(Side from, const link::Packet& segment) const {
  const auto direction = static_cast<unsigned>(index(from));
  const auto distance = static_cast<int32_t>(segment.tcp.sequence - tcp_.next_sequence(direction));
  return !tcp_.known(direction) || (distance >= -kForeignDistance && distance <= kForeignDistance);
}

}  // namespace steertag::rdma::iwarp
