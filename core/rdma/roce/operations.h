// Operations: turns the accepted request packets of one side, which come in PSN order, into
// pieces of Sends, Writes and Read Requests, and reports these. After missing packets the rest of
// a Write is still placed by its PSNs; the rest of a Send is discarded.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/order_watch.h"
#include "rdma/roce/outlet.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/reads.h"

namespace steertag::rdma::roce {

class Operations {
 public:
  // How many PSNs a packet takes: one, or as many as its Responses.
  struct Taken {
    uint32_t psns = 1;
    std::optional<uint32_t> unsized_read;  // bytes of a Read whose PSN count waits for the path MTU
  };

  // `reads`: takes the Read Requests.
  Operations(Outlet& outlet, OrderWatch& watch, Reads& reads, Side from)
      : outlet_(outlet), watch_(watch), reads_(reads), from_(from) {}

  Taken accept(const Packet& packet, const Stamp& at);
  // A packet that merged taps show after those that follow it. Precondition: it holds a whole operation.
  void accept_late(const Packet& packet, const Stamp& at);

  // Packets are missing at this point.
  void interrupt();
  // The QP was set up again.
  void forget();

  // PSN of the packet that ended the latest Send With Invalidate.
  std::optional<uint32_t> invalidation() const { return invalidation_; }

 private:
  void accept_data(const Packet& packet, OpKind kind, const Stamp& at);
  Taken accept_read(const Packet& packet, const Stamp& at);
  void accept_other(const Stamp& at);
  bool begin(const Packet& packet, OpKind kind, const Stamp& at);
  bool resume(const Packet& packet);

  Outlet& outlet_;
  OrderWatch& watch_;
  Reads& reads_;
  Side from_;
  Running running_;
  uint64_t started_ = 0;  // operations so far
  std::optional<uint32_t> invalidation_;
};

}  // namespace steertag::rdma::roce
