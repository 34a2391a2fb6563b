// Departures: decides when each Exchange of one connection is over. An answered one lingers a
// little, or until its RDMA_DONE; one without an answer waits until its XID is used again, room
// is needed, or nothing more comes. Then it is reported, with what the capture may hide of it,
// its segments are withdrawn (Advertised), and its Slot is given back.
#pragma once

#include <cstdint>

#include "flow/advertised.h"
#include "flow/agenda.h"
#include "flow/lingering.h"
#include "flow/open_calls.h"
#include "flow/timekeeper.h"

namespace steertag::flow {

struct Common;

class Departures final : public Agenda::Client {
 public:
  // All must outlive it.
  Departures(track::Connection& connection, Common& common, Advertised& advertised, OpenCalls& open)
      : connection_(connection),
        common_(common),
        advertised_(advertised),
        open_(open),
        times_(connection, common) {}
  ~Departures() { drop(); }

  // What went wrong on the connection; to be counted by whoever sees it.
  Disturbances& disturbances() { return disturbances_; }
  // Takes the times of the Exchanges, with Settings::for_reports.
  Timekeeper& times() { return times_; }

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
  int64_t due() const override { return connection_.rpcrdma ? lingering_.due() : INT64_MAX; }
  uint64_t order() const override { return connection_.order; }
  void expect_flush(Nearing step) const override;
  // Reports everything. If it is the connection that has ended, a Reply that was not seen did not come.
  enum class Ended : uint8_t { connection, capture };
  void finish(Ended what);
  void drop();  // forgets everything

 private:
  track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  OpenCalls& open_;
  Timekeeper times_;
  Lingering lingering_;
  Disturbances disturbances_;
};

// Notes what went wrong until the Exchange is opened, and enters into it what did since then.
void begin_disturbances(Slot& slot, const Disturbances& now, const Common& common);
void count_disturbances(Slot& slot, const Disturbances& now, const Common& common);
// Drops Slot::instead: the Reply is no longer in doubt.
void settle(Slot& slot, SlotPool& slots);

}  // namespace steertag::flow
