// Delivery: how the bytes that one end sends reach the other, whatever they carry: what comes
// late, again, or again with other bytes, what is missing, and what the receiver says of it all
// by its acknowledgments and windows. Each is reported once.
//
// Retransmissions and holes are reported only of what is known to be iWARP: `proven`.
#pragma once

#include <cstddef>
#include <optional>

#include "link/tcp_stream.h"
#include "rdma/iwarp/segment_copies.h"
#include "rdma/missing.h"
#include "rdma/op.h"

namespace steertag::rdma::iwarp {

class Delivery {
 public:
  Delivery(Side from, Listener& listener) : from_(from), listener_(&listener) {}

  // A segment as it arrives; `again` as TcpStream::Sink has it; `digest`: that of its TcpFields.
  // `arrivals`: null where nobody asks.
  void on_arrival(const link::StreamBytes& bytes, bool again, const std::optional<uint32_t>& digest,
                  const link::TcpStream& stream, bool proven, Arrivals* arrivals);
  // These bytes will not come.
  void on_hole(const link::StreamHole& hole, const Stamp& at, bool proven);
  // The hole that waited has its extent, since something follows it, or the stream ends.
  void report_missing() {
    if (missing_.waits()) [[unlikely]] {
      listener_->on_anomaly(*missing_.take(from_));
    }
  }
  // What the receiver says, by a segment that the stream has taken. Its window:
  void report_room(const link::TcpFields& tcp, const link::TcpStream& stream, const Stamp& at);
  // Its acknowledgments, for Arrivals. `bare`: the segment has no data.
  void report_accepted(const link::TcpFields& tcp, bool bare, const link::TcpStream& stream, const Stamp& at,
                       Arrivals& arrivals);
  // That it has all: a segment of the sender may show that, too.
  void report_acknowledged(const link::TcpStream& stream) {
    const uint64_t acknowledged = stream.acknowledged(direction());
    if (acknowledged_ != acknowledged && stream.all_acknowledged(direction())) {
      acknowledged_ = acknowledged;
      listener_->on_acknowledged(other(from_), stream.acknowledged_at(direction()));
    }
  }

  void release() { copies_.release(); }
  size_t bytes() const { return copies_.bytes(); }  // of the heap

 private:
  unsigned direction() const { return static_cast<unsigned>(index(from_)); }  // as TcpStream counts

  Side from_;
  Listener* listener_;
  SegmentCopies copies_;
  Missing missing_;
  uint64_t given_up_ = 0;                     // offset: the end of the latest hole
  uint64_t acknowledged_ = 0, accepted_ = 0;  // offsets up to which that was reported
  bool full_ = false;                         // the receiver advertises a window of zero
};

}  // namespace steertag::rdma::iwarp
