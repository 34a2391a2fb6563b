#include "rdma/roce/requests.h"

namespace steertag::rdma::roce {

void report_late(const Outlet& outlet, Side from, const Requests::Sent& sent, const WaitingRoom& waiting,
                 const Packet& packet, const Stamp& at) {
  if (outlet.arrivals == nullptr) [[likely]] {
    return;
  }
  // What waits far ahead, of an earlier connection perhaps, does not wait for this one.
  if (!waiting.empty() && psn_distance(waiting.front().packet.psn, packet.psn) > kFarAhead) {
    return;
  }
  Late late;
  late.from = from;
  late.begin = sent.sequence.place_of(packet.psn);
  late.end = late.begin + 1;
  late.number = packet.psn;
  late.bytes = packet.payload_length;
  late.asks = packet.opcode == Opcode::read_request;
  if (late.asks && packet.reth && outlet.path_mtu.known()) {
    late.asks_until = late.begin + psn_count(packet.reth->length, outlet.path_mtu.bytes());
  }
  late.at = at;
  const Held* held = waiting.find(packet.psn);
  late.again = held != nullptr || sent.sequence.ahead(packet.psn) < 0;
  late.since = held != nullptr ? held->at
               : late.again    ? sent.retransmissions.first_copy(packet.psn)
                               : std::optional(waiting.front().at);
  outlet.arrivals->on_late(late);
}

}  // namespace steertag::rdma::roce
