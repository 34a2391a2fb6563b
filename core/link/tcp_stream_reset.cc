// RSTs of a TCP connection, held against what their receivers expect.
#include <algorithm>

#include "link/tcp_stream.h"

namespace steertag::link {

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
