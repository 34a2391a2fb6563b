#include "link/tcp_stream.h"

#include <algorithm>
#include <utility>

namespace steertag::link {
namespace {

// The part of `bytes` from stream offset `from` on.
StreamBytes trimmed(StreamBytes bytes, uint64_t from) {
  if (from > bytes.offset) {
    const uint64_t cut = std::min<uint64_t>(from - bytes.offset, bytes.length);
    bytes.captured = slice(bytes.captured, cut);
    bytes.length -= static_cast<uint32_t>(cut);
    bytes.offset += cut;
    bytes.segment_start = false;
  }
  return bytes;
}

}  // namespace

bool TcpStream::foreign_syn(unsigned from, uint32_t sequence) const {
  const Direction& d = directions_[from];
  return d.known && sequence + 1 != d.first_sequence;
}

void TcpStream::push(unsigned from, const Packet& segment, const Stamp& at, Sink& sink) {
  const TcpFields& tcp = segment.tcp;
  if (tcp.syn) {
    synchronize(from, tcp);
  }
  if (tcp.rst) {
    return reset(from, tcp, at, sink);
  }
  if (segment.payload_length == 0 && !tcp.syn) {
    note_sent(from, tcp.sequence, at);
  }
  const uint64_t cause = tcp.ack ? acknowledge(from, tcp, at) : 0;
  if ((segment.payload_length > 0 || tcp.fin) && !take(from, segment, cause, at, sink)) {
    return;
  }
  pump(at, sink, false);
}

void TcpStream::synchronize(unsigned from, const TcpFields& tcp) {
  Direction& d = directions_[from];
  Direction& peer = directions_[1 - from];
  if (!d.known) {
    d.start(tcp.sequence + 1, true);
    doubtful_.reset();
  }
  if (tcp.ack && !peer.known) {
    peer.start(tcp.acknowledgment, true);
  }
}

// A segment without data says where its sender stands.
void TcpStream::note_sent(unsigned from, uint32_t sequence, const Stamp& at) {
  Direction& d = directions_[from];
  int64_t ahead = 0;
  const uint64_t offset = d.place(sequence, ahead);
  if (d.known && ahead > 0 && ahead < kStrayDistance) [[unlikely]] {
    if (d.sent <= d.next && offset > d.next) {
      d.ahead_at = at;
    }
    d.sent = std::max(d.sent, offset);
  }
}

// Offset of the other direction up to which all is acknowledged, where that is ahead of what was handed on.
uint64_t TcpStream::acknowledge(unsigned from, const TcpFields& tcp, const Stamp& at) {
  Direction& peer = directions_[1 - from];
  if (!peer.known) {
    return 0;
  }
  int64_t ahead = 0;
  const uint64_t acked = peer.place(tcp.acknowledgment, ahead);
  const bool placed = ahead > 0 ? ahead < kMaxWindow : static_cast<uint64_t>(-ahead) <= peer.next;
  if (placed && acked > peer.acked) {
    peer.acked = acked;
    peer.acked_at = at;
    if (doubtful_ && acked > doubtful_->reached[1 - from]) {
      doubtful_.reset();
    }
  }
  return ahead > 0 && ahead < kMaxWindow ? acked : 0;
}

// Takes what a segment carries; false where it belongs elsewhere.
bool TcpStream::take(unsigned from, const Packet& segment, uint64_t cause, const Stamp& at, Sink& sink) {
  Direction& d = directions_[from];
  const TcpFields& tcp = segment.tcp;
  const uint32_t length = segment.payload_length;
  const uint32_t sequence = tcp.sequence + (tcp.syn ? 1 : 0);
  if (!d.known) {
    d.start(sequence, false);
  }
  if (stray(d, sequence, length, at, from, sink)) {
    return false;
  }
  int64_t ahead = 0;
  const uint64_t offset = d.place(sequence, ahead);
  StreamBytes bytes{offset, slice(segment.payload, 0, length), length, true, at};
  if (ahead < 0) {
    const auto old = static_cast<uint64_t>(-ahead);
    if (length > 1 && old <= d.next) {  // a keep-alive has one byte at most
      sink.on_arrival(from, bytes, true);
    }
    if (length < old || (length == old && !tcp.fin)) {
      return true;  // a retransmission, or a keep-alive
    }
    bytes.captured = slice(bytes.captured, old);
    bytes.length -= static_cast<uint32_t>(old);
    bytes.offset = d.next;
    bytes.segment_start = false;
  }
  const bool in_order = ahead <= 0 && cause == 0 && !d.waiting();
  const bool held = !in_order && d.holds(bytes, tcp.fin);
  if (ahead >= 0 && length > 0) {
    sink.on_arrival(from, bytes, held);
  }
  d.sent = std::max(d.sent, bytes.end());
  if (in_order) {
    deliver(from, bytes, tcp.fin, sink);
  } else if (!held) {
    d.hold(bytes, cause, tcp.fin);
  }
  return true;
}

// Far from where the stream is: junk, or the capture was off for longer than
// the sequence numbers can show. Then the stream is taken up again there.
bool TcpStream::stray(Direction& d, uint32_t sequence, uint32_t length, const Stamp& at, unsigned from,
                      Sink& sink) {
  const int64_t ahead = static_cast<int32_t>(sequence - d.next_sequence);
  // Far ahead, within the widest window: its receiver has acknowledged what lies shortly before, or it is
  // junk.
  const bool near = ahead <= kStrayDistance || (ahead <= kMaxWindow && d.acknowledged_near(ahead));
  if (ahead + length >= -kStrayDistance && near) {
    d.strays = 0;
    return false;
  }
  if (++d.strays < kStrayPatience) {
    return true;
  }
  d.strays = 0;
  while (d.waiting()) {
    d.drop_head();
  }
  declare(from, d.next + static_cast<uint32_t>(sequence - d.next_sequence), at, sink);
  d.acked = d.next;
  return false;
}

void TcpStream::deliver(unsigned from, StreamBytes bytes, bool fin, Sink& sink) {
  Direction& d = directions_[from];
  if (bytes.length > 0) {
    d.advance(bytes.end());
    sink.on_bytes(from, bytes);
  }
  if (fin) {
    d.advance(d.next + 1);  // a FIN takes one sequence number
    sink.on_fin(from, bytes.at);
  }
}

void TcpStream::declare(unsigned from, uint64_t end, const Stamp& at, Sink& sink) {
  Direction& d = directions_[from];
  StreamHole hole{d.next, end, std::nullopt};
  if (d.acked >= end) {
    hole.proof = d.acked_at;
  }
  d.advance(end);
  sink.on_hole(from, hole, at);
}

void TcpStream::pump(const Stamp& at, Sink& sink, bool flush) {
  while (directions_[0].waiting() || directions_[1].waiting() || flush) {
    if (!deliver_one(sink) && !declare_one(at, sink, flush)) {
      return;
    }
  }
}

// Hands on the first of the held segments whose turn it is, the older of two.
bool TcpStream::deliver_one(Sink& sink) {
  std::array<Held*, 2> ready{};
  std::array<Held*, 2> due{};
  for (unsigned from = 0; from < 2; ++from) {
    Direction& d = directions_[from];
    if (d.waiting() && d.held[d.head].bytes.offset <= d.next) {
      ready[from] = &d.held[d.head];
      due[from] = ready[from]->cause <= directions_[1 - from].next ? ready[from] : nullptr;
    }
  }
  // Each waits for the other: an acknowledgment is newer than its data where the
  // data was sent twice. Capture order decides.
  const auto& pick = due[0] || due[1] ? due : ready;
  if (!due[0] && !due[1] && !(ready[0] && ready[1])) {
    return false;
  }
  const unsigned from =
      !pick[0] || (pick[1] && captured_before(pick[1]->bytes.at, pick[0]->bytes.at)) ? 1 : 0;
  Direction& d = directions_[from];
  Held item = std::move(d.held[d.head]);
  const uint64_t next = d.next;
  const bool news = item.bytes.end() > next || (item.fin && item.bytes.end() == next);
  if (news) {
    deliver(from, trimmed(item.bytes, next), item.fin, sink);
  }
  if (d.waiting()) {  // the sink may have released everything
    d.held[d.head] = std::move(item);
    d.drop_head();
  }
  return true;
}

// Nothing can be handed on. Is it time to give up the bytes that are waited for?
bool TcpStream::declare_one(const Stamp& at, Sink& sink, bool flush) {
  for (unsigned from = 0; from < 2; ++from) {
    const Direction& d = directions_[from];
    const Direction& peer = directions_[1 - from];
    const bool peer_impatient = peer.waiting() && (peer.full() || peer.count() > kCausePatience);
    const bool impatient = flush || d.count() >= kHolePatience || peer_impatient;
    uint64_t end = d.next;
    if (d.waiting() && (flush || d.full())) {
      end = d.held[d.head].bytes.offset;
    } else if (d.waiting() && impatient) {
      end = std::min(d.acked, d.held[d.head].bytes.offset);
    } else if (d.known && flush) {
      end = d.acked;  // nothing came behind the lost bytes; only the peer knows of them
    } else if (d.known && peer_impatient) {
      end = std::min(d.acked, peer.held[peer.head].cause);
    }
    if (end > d.next) {
      declare(from, end, at, sink);
      return true;
    }
  }
  return false;
}

void TcpStream::finish(const Stamp& at, Sink& sink) {
  pump(at, sink, true);
  if (doubtful_) {
    sink.on_reset(doubtful_->from, doubtful_->at);
    doubtful_.reset();
  }
}

void TcpStream::release() {
  for (Direction& d : directions_) {
    std::vector<Held>().swap(d.held);
    d.head = 0;
    d.held_bytes = 0;
  }
  shrink();
}

void TcpStream::shrink() {
  for (Direction& d : directions_) {
    std::vector<std::vector<uint8_t>>().swap(d.spare);
    d.spare_bytes = 0;
    if (!d.waiting()) {
      std::vector<Held>().swap(d.held);
      d.head = 0;
    }
  }
}

// RSTs of a TCP connection, held against what their receivers expect.

void TcpStream::reset(unsigned from, const TcpFields& tcp, const Stamp& at, Sink& sink) {
  if (resets(from, tcp)) {
    doubtful_.reset();
    pump(at, sink, true);
    sink.on_reset(from, at);
  } else if (!doubtful_ && may_reset(directions_[from], tcp)) {
    doubtful_ = {from, at, {directions_[0].reached(), directions_[1].reached()}};
  }
}

// It stands where the receiver expects more; or it refuses a SYN.
bool TcpStream::resets(unsigned from, const TcpFields& tcp) const {
  const Direction& d = directions_[from];
  const Direction& peer = directions_[1 - from];
  return d.known ? tcp.sequence == d.next_sequence
                 : tcp.ack && peer.known && peer.next == 0 && tcp.acknowledgment == peer.next_sequence;
}

// Its receiver may expect more there than was captured, or less than was captured but acknowledged.
bool TcpStream::may_reset(const Direction& d, const TcpFields& tcp) const {
  const int64_t ahead = static_cast<int32_t>(tcp.sequence - d.next_sequence);
  return !d.known ||
         (ahead <= kMaxWindow && ahead >= -static_cast<int64_t>(d.next - std::min(d.acked, d.next)));
}

}  // namespace steertag::link
