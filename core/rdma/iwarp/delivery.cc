#include "rdma/iwarp/delivery.h"

#include "link/tcp_options.h"
#include "rdma/anomaly.h"

namespace steertag::rdma::iwarp {

void Delivery::on_arrival(const link::StreamBytes& bytes, bool again, const std::optional<uint32_t>& digest,
                          const link::TcpStream& stream, bool proven, Arrivals* arrivals) {
  const SegmentCopy* first = again ? copies_.find(bytes.offset, bytes.length) : nullptr;
  if (arrivals != nullptr && (again || bytes.offset < stream.sent(direction()))) [[unlikely]] {
    Late late;
    late.from = from_;
    late.begin = bytes.offset;
    late.end = bytes.end();
    late.number = stream.sequence_of(direction(), bytes.offset);
    late.bytes = bytes.length;
    late.again = again;
    late.at = bytes.at;
    if (!again) {
      late.since = stream.hole_shown(direction());
    } else if (first != nullptr) {
      late.since = first->at;
    }
    arrivals->on_late(late);
  }
  const SegmentCopy copy = SegmentCopy::of(bytes, digest);
  if (!again) {
    return copies_.add(copy, stream.acknowledged(direction()));
  }
  // What fills a hole that was given up is late, not sent again.
  if (!proven || (bytes.offset < given_up_ && first == nullptr)) {
    return;
  }
  listener_->on_retransmission(from_, bytes.at);
  const std::optional<SentTwice> twice = copies_.add_again(copy, stream.acknowledged(direction()));
  if (twice && !twice->second.same_as(twice->first)) {
    listener_->on_anomaly({.kind = Anomaly::Kind::changed_retransmission,
                           .from = from_,
                           .at = bytes.at,
                           .related = twice->first.at,
                           .position = twice->first.offset,
                           .expected = twice->first.hash,
                           .found = twice->second.hash,
                           .acknowledged = twice->acknowledged});
  }
}

void Delivery::on_hole(const link::StreamHole& hole, const Stamp& at, bool proven) {
  given_up_ = hole.end;
  if (proven) {
    const MissingHole missing{hole.begin, hole.end, hole.end - hole.begin, at, hole.proof};
    if (const std::optional<Anomaly> before = missing_.add(from_, missing)) {
      listener_->on_anomaly(*before);
    }
  }
}

// A segment that acknowledges less than another has is an old one, and its window means nothing (RFC 9293
// §3.10.7.4).
void Delivery::report_room(const link::TcpFields& tcp, const link::TcpStream& stream, const Stamp& at) {
  const bool full = tcp.window == 0;
  if (full_ == full || !tcp.ack || tcp.syn || tcp.rst ||
      stream.offset_of(direction(), tcp.acknowledgment) < stream.acknowledged(direction())) [[likely]] {
    return;
  }
  full_ = full;
  listener_->on_room(other(from_), !full, at);
}

void Delivery::report_accepted(const link::TcpFields& tcp, bool bare, const link::TcpStream& stream,
                               const Stamp& at, Arrivals& arrivals) {
  if (!tcp.ack) {
    return;
  }
  const uint64_t position = stream.offset_of(direction(), tcp.acknowledgment);
  const bool repeats = position == accepted_ && position < stream.sent(direction());
  if (const auto twice = link::received_twice(tcp.options, tcp.acknowledgment)) [[unlikely]] {
    arrivals.on_duplicate(other(from_), stream.offset_of(direction(), twice->begin),
                          stream.offset_of(direction(), twice->end));
  } else if (repeats && !tcp.syn && !tcp.fin && !tcp.rst && (bare || link::find_sack(tcp.options)))
      [[unlikely]] {
    arrivals.on_acknowledged_again(other(from_), position, at);
  }
  if (accepted_ != stream.acknowledged(direction())) {
    accepted_ = stream.acknowledged(direction());
    arrivals.on_accepted(other(from_), accepted_, stream.acknowledged_at(direction()));
  }
}

}  // namespace steertag::rdma::iwarp
