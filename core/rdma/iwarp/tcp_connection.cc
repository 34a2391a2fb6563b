#include "rdma/iwarp/tcp_connection.h"

#include <algorithm>

#include "rdma/iwarp/evidence.h"

namespace steertag::rdma::iwarp {
namespace {

// How often what a resynchronisation kept may lose the framing again before the
// rest of it is thrown away.
constexpr unsigned kMaxReplayDepth = 8;

// TcpStream counts its directions as index(Side) does.
Side side(unsigned direction) {
  return direction == 0 ? Side::a : Side::b;
}

// What of `bytes` stands behind the first `used` of them.
link::StreamBytes behind(const link::StreamBytes& bytes, uint64_t used) {
  link::StreamBytes rest = bytes;
  rest.offset += used;
  rest.length -= static_cast<uint32_t>(used);
  rest.captured = slice(bytes.captured, used);
  rest.segment_start = bytes.segment_start && used == 0;
  return rest;
}

}  // namespace

void TcpConnection::on_segment(Side from, const link::Packet& segment, const Stamp& at) {
  if (over()) {
    return;
  }
  const auto named = [&](uint16_t port) {
    return std::find(options_->ports.begin(), options_->ports.end(), port) != options_->ports.end();
  };
  if (proof_ == Proof::undecided && !named_port_) {
    named_port_ = named(segment.tcp.source_port) || named(segment.tcp.destination_port);
  }
  digest_ = segment.tcp.digest;
  tcp_.push(static_cast<unsigned>(index(from)), segment, at, *this);
  deliveries_[0].report_acknowledged(tcp_);
  deliveries_[1].report_acknowledged(tcp_);
  Delivery& answered = deliveries_[index(other(from))];
  if (proof_ == Proof::rdma) {
    answered.report_room(segment.tcp, tcp_, at);
  }
  if (arrivals_ != nullptr) {
    answered.report_accepted(segment.tcp, segment.payload_length == 0, tcp_, at, *arrivals_);
  }
  release_if_over();
}

void TcpConnection::finish(const Stamp& at) {
  if (!over()) {
    tcp_.finish(at, *this);
    const auto unanswered = [&](unsigned from) {
      return closings_.finished[from] && !tcp_.all_acknowledged(from);
    };
    if (unanswered(0) || unanswered(1)) {
      end(EndReason::fin, at);
    } else {
      report_unfinished();
    }
    release_if_over();
  }
}

void TcpConnection::release_if_over() {
  if (!over() || released_) {
    return;
  }
  released_ = true;
  tcp_.release();
  messages_.release();
  for (const unsigned from : {0u, 1u}) {
    handshake_.release(side(from));
    framings_[from].release();
    deliveries_[from].release();
  }
}

// --- the segments of TCP ---

void TcpConnection::on_arrival(unsigned from, const link::StreamBytes& bytes, bool again) {
  if (!over()) {
    deliveries_[from].on_arrival(bytes, again, digest_, tcp_, proof_ == Proof::rdma, arrivals_);
  }
}

void TcpConnection::gap(unsigned from, const Stamp& at) {
  fpdus_.on_gap(side(from));
  messages_.on_gap(side(from));
  listener_->on_gap(side(from), at);
}

void TcpConnection::on_hole(unsigned from, const link::StreamHole& hole, const Stamp& at) {
  if (over()) {
    return;
  }
  deliveries_[from].on_hole(hole, at, proof_ == Proof::rdma);
  gap(from, at);
  current_ = from;
  framings_[from].on_hole(hole.end, *this);
  handshake_.release(side(from));
}

void TcpConnection::on_bytes(unsigned from, const link::StreamBytes& bytes) {
  if (over()) {
    return;
  }
  deliveries_[from].report_missing();
  switch (framings_[from].phase()) {
    case Framing::Phase::framed:
      return framed(from, bytes);
    case Framing::Phase::opening:
      return open(from, bytes);
    case Framing::Phase::waiting:
      // The initiator goes on, so it has the Reply; the capture has not, and
      // with it the answer to the question of markers.
      fpdus_.on_gap(side(from));
      framings_[from].begin_search();
      [[fallthrough]];
    case Framing::Phase::searching:
      return search(from, bytes);
  }
}

// --- the setup ---

void TcpConnection::open(unsigned from, const link::StreamBytes& bytes) {
  const uint32_t used = handshake_.add(side(from), bytes);
  const Opening& opening = handshake_.opening(side(from));
  if (opening.state() == Opening::State::incomplete) {
    return;
  }
  if (opening.state() == Opening::State::complete) {
    opened(from, bytes.offset + used, bytes.at);
    handshake_.release(side(from));
    if (used < bytes.length) {
      on_bytes(from, behind(bytes, used));
    }
    return;
  }
  if (tcp_.from_start(from) && opening.begin() == 0) {
    if (proof_ == Proof::undecided) {
      proof_ = Proof::not_rdma;
      return;
    }
    handshake_.refuse(side(from), bytes.at);
  }
  framings_[from].begin_search();
  handshake_.release(side(from));
  search(from, bytes);
}

void TcpConnection::opened(unsigned from, uint64_t end_offset, const Stamp& at) {
  const unsigned to = 1 - from;
  const Opening& opening = handshake_.opening(side(from));
  const MpaFacts& mpa = handshake_.facts();
  proof_ = Proof::rdma;
  // Nothing of the peer was there to answer when the setup frame was sent.
  const bool speaks_first = tcp_.from_start(from) && opening.begin() == 0 && tcp_.from_start(to) &&
                            tcp_.acknowledged(to) == 0 && tcp_.all_acknowledged(to);
  handshake_.complete(side(from), speaks_first, at);
  messages_.begin(side(from));
  fpdus_.begin(side(from));
  framings_[from].anchor(end_offset);
  if (mpa.markers[from]) {
    framings_[from].start(*mpa.markers[from]);
  }
  if (framings_[to].phase() == Framing::Phase::waiting) {
    framings_[to].start(*mpa.markers[to]);
  }
  listener_->on_setup(side(from), opening.setup(), at);
  report_unit(Unit::Kind::setup, from, opening.begin(), end_offset - opening.begin(), opening.bytes());
  if (mpa.rejected) {
    end(EndReason::reject, at);
  }
}

// --- FPDUs ---

void TcpConnection::framed(unsigned from, const link::StreamBytes& bytes) {
  current_ = from;
  const std::optional<uint64_t> lost = framings_[from].on_bytes(bytes, *this);
  if (!lost || over()) {
    return;
  }
  gap(from, bytes.at);
  if (*lost < bytes.end()) {
    search(from, behind(bytes, *lost - bytes.offset));
  }
}

void TcpConnection::report_unit(Unit::Kind kind, unsigned from, uint64_t begin, uint64_t size, Bytes raw,
                                bool holed) {
  listener_->on_unit(
      {.kind = kind,
       .from = side(from),
       .begin = begin,
       .sequence = tcp_.sequence_of(from, begin),
       .size = static_cast<uint32_t>(size),
       .raw = raw,
       .markers = framings_[from].markers(),
       .holed = holed,
       .legible = kind == Unit::Kind::fpdu && raw.size() >= std::min<uint64_t>(size, kWeighedBytes)});
}

bool TcpConnection::on_fpdu(const Fpdu& fpdu) {
  if (over()) {
    return true;
  }
  if (!framings_[current_].believes(fpdu, handshake_.facts().markers[current_])) [[unlikely]] {
    return false;
  }
  report_unit(Unit::Kind::fpdu, current_, fpdu.offset, fpdu.size, fpdu.raw, fpdu.holed);
  check_crc(fpdu);
  fpdus_.on_fpdu(side(current_), fpdu, framings_[current_].markers(), handshake_.initiator());
  const Messages::Outcome outcome = messages_.on_fpdu(side(current_), fpdu);
  if (outcome == Messages::Outcome::unreadable) {
    gap(current_, fpdu.frames.back());
  } else if (outcome == Messages::Outcome::terminated) {
    Fault fault = messages_.terminate();
    fpdus_.explain(side(current_), fault);
    listener_->on_fault(fault);
    end(EndReason::terminate, fpdu.frames.back());
  }
  return true;
}

// Where the setup says that CRCs count, always: a Terminate may be about one.
void TcpConnection::check_crc(const Fpdu& fpdu) {
  const std::optional<bool> negotiated = handshake_.facts().crc;
  const bool asked = options_->verify_crc && negotiated.value_or(true);
  if (!asked && !negotiated.value_or(true)) {
    return;
  }
  if (fpdu.raw.size() != fpdu.size) [[unlikely]] {
    return fpdus_.on_cut(side(current_));
  }
  using Report = FpduWatch::Report;
  const bool wrong = fpdus_.check_crc(side(current_), fpdu, negotiated, asked ? Report::yes : Report::no);
  if (asked) {
    ++counters_.crc_checked;
    if (wrong) [[unlikely]] {
      ++counters_.crc_bad;
      counters_.first_crc_bad = counters_.first_crc_bad.value_or(fpdu.frames.back());
    }
  }
}

void TcpConnection::on_misfit(const Fpdu& fpdu) {
  if (!over()) {
    report_unit(Unit::Kind::misfit, current_, fpdu.offset, fpdu.size, fpdu.raw);
    fpdus_.on_misfit(side(current_), fpdu);
  }
}

void TcpConnection::search(unsigned from, const link::StreamBytes& bytes) {
  Framing& framing = framings_[from];
  const bool proven = proof_ == Proof::rdma;
  const std::optional<uint64_t> found = framing.search(bytes, handshake_.facts().crc, proven);
  if (!found) {
    if (!proven && !named_port_ && Framing::hopeless(framing, framings_[1 - from])) {
      proof_ = Proof::not_rdma;
    }
    return;
  }
  proof_ = Proof::rdma;
  counters_.resyncs += framing.interrupted() ? 1 : 0;
  messages_.on_gap(side(from));  // what stands before it was not read
  if (replay_depth_ >= kMaxReplayDepth) {
    return framing.lose();
  }
  ++replay_depth_;
  const Resync kept = framing.take_kept();
  uint64_t position = *found;
  kept.replay(position, [&](const link::StreamBytes& piece) {
    if (piece.offset > position && !over()) {
      current_ = from;
      framing.on_hole(piece.offset, *this);
    }
    position = piece.end();
    on_bytes(from, piece);
  });
  --replay_depth_;
}

// --- the end, and memory ---

void TcpConnection::on_fin(unsigned from, const Stamp& at) {
  closings_.finished[from] = true;
  note_closing({side(from), false, at});
  if (closings_.finished[1 - from]) {
    end(EndReason::fin, at);
  }
}

void TcpConnection::on_reset(unsigned from, const Stamp& at) {
  note_closing({side(from), true, at});
  end(EndReason::reset, at);
}

void TcpConnection::note_closing(const Closings::Closing& closing) {
  if (over()) {
    return;
  }
  if (!closings_.first) {
    closings_.first = closing;
  }
  if (closing.reset) {
    closings_.reset = closing;
  }
}

void TcpConnection::report_unfinished() {
  for (const unsigned from : {0u, 1u}) {
    const Framer& framer = framings_[from].framer();
    if (framings_[from].phase() == Framing::Phase::framed && !framer.begun().empty()) {
      report_unit(Unit::Kind::open, from, framer.boundary(), framer.begun_size(), framer.begun());
    }
  }
  deliveries_[0].report_missing();
  deliveries_[1].report_missing();
}

void TcpConnection::end(EndReason reason, const Stamp& at) {
  if (!over()) {
    report_unfinished();
    ended_ = true;
    listener_->on_end(reason, at);
  }
}

bool TcpConnection::from_start() const {
  return (tcp_.from_start(0) || framings_[0].anchored()) && (tcp_.from_start(1) || framings_[1].anchored());
}

// Another connection has sequence numbers of its own, in both directions; that both happen to be near those
// in use is left out. A setup frame that comes again, or the same bytes in a file, is where the stream is.
bool TcpConnection::opens_new_epoch(Side from, const link::Packet& segment) const {
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

std::optional<uint32_t> TcpConnection::next_sequence(Side from) const {
  const auto direction = static_cast<unsigned>(index(from));
  return tcp_.known(direction) ? std::optional(tcp_.next_sequence(direction)) : std::nullopt;
}

bool TcpConnection::goes_on(Side from, const link::Packet& segment) const {
  const auto direction = static_cast<unsigned>(index(from));
  return !tcp_.known(direction) || !is_foreign(segment.tcp.sequence, tcp_.next_sequence(direction));
}

void TcpConnection::give_up_waiting(const Stamp& at) {
  if (!over()) {
    tcp_.give_up_held(at, *this);
    deliveries_[0].report_missing();
    deliveries_[1].report_missing();
    release_if_over();
  }
}

void TcpConnection::shrink() {
  tcp_.shrink();
  framings_[0].shrink();
  framings_[1].shrink();
}

size_t TcpConnection::held_bytes() const {
  return tcp_.held_bytes() + framings_[0].held_bytes() + framings_[1].held_bytes();
}

size_t TcpConnection::bytes() const {
  return held_bytes() + messages_.bytes() + deliveries_[0].bytes() + deliveries_[1].bytes();
}

}  // namespace steertag::rdma::iwarp
