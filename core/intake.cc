#include "intake.h"

#include <optional>

#include "rdma/iwarp/segment_copies.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"

namespace steertag {

namespace roce = rdma::roce;

Intake::Intake(const Options& options)
    : link_(options.ports),
      packets_(options.copy_window_ns),
      segments_(options.copy_window_ns),
      verify_icrc_(options.verify_icrc),
      digested_ports_(options.digested_ports) {}

bool Intake::take(const Frame& frame, track::Arrival& into) {
  link_.decode(frame, into.packet);
  note_dropped(frame.dropped);
  into.at = frame.at;
  into.order = ++frames_;
  into.copy = into.marked = false;
  into.assembled = link_.assembled();
  into.icrc.reset();
  into.kept.reset();
  switch (into.packet.carrier) {
    case link::Carrier::none:
      return false;
    case link::Carrier::pause:
    case link::Carrier::icmp:
      return true;
    case link::Carrier::tcp:
      take_segment(into);
      return true;
    default:
      return take_roce(into);
  }
}

void Intake::take_segment(track::Arrival& into) {
  link::Packet& segment = into.packet;
  tcp_.note_segment(segment);
  const track::CopyFilter::Seen seen = segments_.look(segment, into.at);
  into.copy = seen.copy;
  into.marked = seen.marked;
  const auto digested = [&](uint16_t port) {
    return std::find(digested_ports_.begin(), digested_ports_.end(), port) != digested_ports_.end();
  };
  if (!digested_ports_.empty() && segment.payload_length != 0 && !seen.copy &&
      (digested(segment.tcp.source_port) || digested(segment.tcp.destination_port))) {
    segment.tcp.digest = rdma::iwarp::digest_segment(segment.payload);
  }
}

bool Intake::take_roce(track::Arrival& into) {
  if (!roce::read_bth(into.packet.payload, into.packet.payload_length, into.bth)) {
    return false;
  }
  const track::CopyFilter::Seen seen = packets_.look(into.packet, into.bth, into.at);
  into.copy = seen.copy;
  into.marked = seen.marked;
  if (verify_icrc_ && !seen.copy) {
    verify(into);
  }
  return true;
}

// RoCEv1 and native InfiniBand are left out: no capture has confirmed how they are computed.
void Intake::verify(track::Arrival& into) {
  if (into.packet.carrier != link::Carrier::roce2) {
    return;
  }
  const std::optional<uint32_t> carried = roce::stored_icrc(into.packet);
  const std::optional<uint32_t> computed = roce::icrc(into.packet);
  if (!carried || !computed) {
    return;
  }
  into.icrc = roce::IcrcCheck{*computed, *carried};
  if (*computed != *carried) {
    ++icrc_errors_;
    packets_.forget();
  }
}

link::Others Intake::others() const {
  link::Others all = tcp_;
  all.roce = link_.others().roce;
  all.roce_port = link_.others().roce_port;
  return all;
}

}  // namespace steertag
