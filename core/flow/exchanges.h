// Exchanges: the life of the RPCs of one connection, both directions. A Call opens an
// Exchange and advertises its segments; the Reply answers it; it lingers a little, and is reported.
//
// XIDs are per Requester: a backward Call may use one that is live forward.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <utility>

#include "flow/advertised.h"
#include "flow/exchange.h"
#include "flow/lingering.h"
#include "flow/message.h"
#include "flow/outstanding.h"

namespace steertag::flow {

struct Common;

class Exchanges {
 public:
  // Exchanges without a Reply on one connection; beyond that the oldest is reported
  // as it stands. Grants of credits are far below this.
  static constexpr size_t kMaxOpen = 1024;

  Exchanges(track::Connection& connection, Common& common, Advertised& advertised)
      : connection_(connection), common_(common), advertised_(advertised) {}
  ~Exchanges() { drop(); }
  Exchanges(const Exchanges&) = delete;
  Exchanges& operator=(const Exchanges&) = delete;

  const Exchange* find_open(Side requester, uint32_t xid) const;  // null where none is
  Outstanding& outstanding() { return outstanding_; }
  // What went wrong on the connection; whoever sees it counts it.
  Disturbances& disturbances() { return disturbances_; }

  void on_call(const Message& call);
  void on_reply(const Message& reply);  // also RDMA_ERROR
  void on_done(const Message& done);    // RDMA_DONE
  // A client's Reply that was left to be read may have been a Call (left_by_client()). It was, where this
  // answers that Call, or the callback once more; true where it is one from now on.
  bool reconsider(const Message& answer);
  // A client's Reply was followed that nothing but its XID made one.
  bool ever_unclear() const { return ever_unclear_; }
  // It may advertise memory, convey part of an RPC, or answer one, without its being known here.
  void on_unknown_option(const Message& message);
  // Calls of version two that were sent before then are taken for lost by their Requester: they no longer
  // count as outstanding, although a Reply still finds them.
  void give_up_v2(Side requester, int64_t before_ns);

  // Reports the Exchanges whose time has come; nobody before the connection is known to carry RPC-over-RDMA.
  void flush(int64_t now_ns);
  int64_t due() const { return lingering_.due(); }
  // For want of memory: reports those that linger, or the older half of the open ones.
  void report_lingering_early();
  void report_open_early();
  bool any_open() const { return !by_age_.empty(); }
  bool any_lingers() const { return lingering_.due() != INT64_MAX; }
  // Whether any was reported early since it was last asked.
  bool reported_early() { return std::exchange(reported_early_, false); }

  // Reports everything. `over`: the connection has ended, so that a Reply which
  // was not seen did not come; otherwise the capture ended.
  enum class Ended : uint8_t { connection, capture };
  void finish(Ended what);
  void drop();  // forgets everything

 private:
  Slot& begin(const Message& message, Side requester);
  void report(Slot& slot, Doubt known);
  void reopen(Slot& slot);
  void settle(Slot& slot);  // nothing is unclear of its Reply any more
  void report_oldest_open();

  track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  absl::flat_hash_map<uint64_t, Slot*> open_;  // by rpc_key()
  SlotList by_age_;                            // the same
  Lingering lingering_;
  Outstanding outstanding_;
  Disturbances disturbances_;
  bool ever_unclear_ = false;
  uint64_t orphans_ = 0;  // Replies whose Call was not open
  bool reported_early_ = false;
};

}  // namespace steertag::flow
