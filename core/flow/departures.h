// Departures: how the Exchanges of one connection end. An answered one lingers a little, or
// until its RDMA_DONE; one that nobody answers waits until its XID is used again, room is
// needed, or nothing more comes. Then it is reported, with what the capture may hide of it,
// its segments leave the memory that is known, and its Slot is given back.
#pragma once

#include <cstdint>

#include "flow/advertised.h"
#include "flow/agenda.h"
#include "flow/lingering.h"
#include "flow/open_calls.h"

namespace steertag::flow {

struct Common;

class Departures final : public Agenda::Client {
 public:
  // All must outlive it.
  Departures(track::Connection& connection, Common& common, Advertised& advertised, OpenCalls& open)
      : connection_(connection), common_(common), advertised_(advertised), open_(open) {}
  ~Departures() { drop(); }

  // What went wrong on the connection; whoever sees it counts it.
  Disturbances& disturbances() { return disturbances_; }
  // A Reply had no open Call.
  void note_orphan() { ++orphans_; }

  // It is answered, and to be reported a little after `at`.
  void linger(Slot& slot, const Stamp& at);
  // The same; an RDMA_DONE is to come before.
  void owe(Slot& slot, const Stamp& at);
  Lingering& lingering() { return lingering_; }

  // Reports it. `known`: what the caller has against it. It stands in no list but that of the open ones.
  void report(Slot& slot, Doubt known);
  // There is no room for it.
  void report_oldest_open();
  // For want of memory: reports those that linger, or the older half of the open ones.
  enum class Early : uint8_t { lingering, open };
  void report_early(Early what);
  bool any(Early what) const;

  // Reports those whose time has come; nothing before the connection is known to carry RPC-over-RDMA.
  void flush(int64_t now_ns) override;
  int64_t due() const override { return connection_.rpcrdma ? lingering_.due() : INT64_MAX; }
  uint64_t order() const override { return connection_.order; }
  void expect_flush(Nearing step) const override;
  // Reports everything. Where the connection has ended a Reply which was not seen did not come.
  enum class Ended : uint8_t { connection, capture };
  void finish(Ended what);
  void drop();  // forgets everything

 private:
  track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  OpenCalls& open_;
  Lingering lingering_;
  Disturbances disturbances_;
  uint64_t orphans_ = 0;  // Replies whose Call was not open
};

// How often what went wrong until now went wrong since it was opened.
void count_disturbances(Slot& slot, const Disturbances& now);
// Nothing is unclear of its Reply any more.
void settle(Slot& slot, SlotPool& slots);

}  // namespace steertag::flow
