// Operations: from the request packets of one side that are accepted, in the order of
// their PSNs, to pieces of Sends, Writes and Read Requests. Where packets are missing, the
// rest of a Write still goes where its PSNs say; that of a Send is not reported.
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

  // `reads`: where Read Requests go to.
  Operations(Outlet& outlet, OrderWatch& watch, Reads& reads, Side from)
      : outlet_(outlet), watch_(watch), reads_(reads), from_(from) {}

  Taken accept(const Packet& packet, const Stamp& at);
  // One that a merged tap shows after what follows it. Precondition: it holds its operation whole.
  void accept_late(const Packet& packet, const Stamp& at);

  // Packets are missing here.
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
  uint64_t started_ = 0;  // operations
  std::optional<uint32_t> invalidation_;
};

}  // namespace steertag::rdma::roce
