// Responses: processes the acknowledgments, NAKs and Read Responses of one side. They confirm
// requests of its peer; and a Read Response, which carries no address, is tied to the memory that
// the peer asked for (IBTA vol. 1 §9.7.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/first_copies.h"
#include "rdma/roce/order_watch.h"
#include "rdma/roce/outlet.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/reads.h"
#include "rdma/roce/requests.h"

namespace steertag::rdma::roce {

class Responses {
 public:
  // `requests`, `reads`: those of the peer. `watch`: that of `from`, the sender of the responses.
  Responses(Outlet& outlet, OrderWatch& watch, Requests& requests, Reads& reads, Side from)
      : outlet_(outlet), watch_(watch), requests_(requests), reads_(reads), from_(from) {}

  void on_packet(const Packet& packet, const Stamp& at);
  // No more packets come: was what the peer waits for in vain damaged?
  void finish();
  size_t bytes() const { return first_copies_.bytes(); }  // of the heap

 private:
  // The packet with this PSN was refused, or never accepted: where its ICRC is wrong, that is reported, once.
  std::optional<Fault::WrongCrc> accuse(uint32_t psn);
  void refuse(const Packet& nak, const Stamp& at);
  void watch_refused(uint32_t psn);
  void complain(const Packet& packet, const Stamp& at);
  void deliver(const Packet& packet, const Stamp& at);
  // Tells who asks of a Response at that place that came before (`known`), or after what follows it.
  void report_late(const Packet& packet, uint64_t place, bool known, const Stamp& at);
  uint64_t offset_of(const Packet& packet, const OutstandingRead& read) const;

  Outlet& outlet_;
  OrderWatch& watch_;
  Requests& requests_;
  Reads& reads_;
  Side from_;
  std::optional<uint32_t> accused_;  // PSN
  FirstCopies first_copies_;
};

}  // namespace steertag::rdma::roce
