// Departures: decides when each Exchange of one connection is over. An answered one lingers a
// little, or until its RDMA_DONE; one without an answer waits until its XID is used again, room
// is needed, or nothing more comes. Then it is reported, with what the capture may hide of it,
// its segments are withdrawn (Advertised), and its Slot is given back.
#pragma once

#include <cstdint>

#include "rpc/agenda.h"
#include "rpc/connection_state.h"
#include "rpc/lingering.h"

namespace steertag::rpc {

class Departures final : public Agenda::Client {
 public:
  // `state` must outlive it.
  explicit Departures(ConnectionState& state) : state_(state) {}
  ~Departures() { drop(); }

  // The Exchange was answered, and is to be reported a little after `at`.
  void linger(Slot& slot, const Stamp& at);
  // The same, but its RDMA_DONE has to come before.
  void owe(Slot& slot, const Stamp& at);
  Lingering& lingering() { return lingering_; }

  // Reports the Exchange. `known`: the doubt that it has if there is no other. Precondition: the Slot is in
  // no list, except that of the open ones if it has no Reply.
  void report(Slot& slot, Doubt known);
  // Makes room for another Call.
  void report_oldest_open();
  // For want of memory: reports those that linger, or the older half of the open ones.
  enum class Early : uint8_t { lingering, open };
  void report_early(Early what);
  bool any(Early what) const;

  // Reports the Exchanges that are due; none before the connection is known to carry RPC-over-RDMA.
  void flush(int64_t now_ns) override;
  int64_t due() const override { return state_.connection.rpcrdma ? lingering_.due() : INT64_MAX; }
  uint64_t order() const override { return state_.connection.order; }
  void expect_flush(Nearing step) const override;
  // Reports everything. If it is the connection that has ended, a Reply that was not seen did not come.
  enum class Ended : uint8_t { connection, capture };
  void finish(Ended what);
  void drop();  // forgets everything

 private:
  ConnectionState& state_;
  Lingering lingering_;
};

// Enters what went wrong since the Exchange was opened.
void count_disturbances(Slot& slot, const Disturbances& now);
// Drops Slot::instead: the Reply is no longer in doubt.
void settle(Slot& slot, SlotPool& slots);

}  // namespace steertag::rpc
