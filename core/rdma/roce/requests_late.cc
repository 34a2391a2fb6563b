#include "rdma/roce/requests.h"

namespace steertag::rdma::roce {

void report_late(const Outlet& outlet, Side from, const Requests::Sent& sent, const WaitingRoom& waiting,
                 uint32_t psn, const Stamp& at) {
  if (outlet.arrivals == nullptr) [[likely]] {
    return;
  }
  Late late;
  late.from = from;
  late.begin = sent.sequence.place_of(psn);
  late.at = at;
  const Held* held = waiting.find(psn);
  late.again = held != nullptr || sent.sequence.ahead(psn) < 0;
  late.since = held != nullptr ? held->at
               : late.again    ? sent.retransmissions.first_copy(psn)
                               : std::optional(waiting.front().at);
  outlet.arrivals->on_late(late);
}

}  // namespace steertag::rdma::roce
