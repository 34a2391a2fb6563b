// Exchanges: what messages do to the RPCs of one connection, both directions. A Call opens an
// Exchange and advertises its segments; the Reply answers it; an RDMA_DONE says that what the
// Reply advertised was read. When it is over is decided by Departures.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "flow/message.h"
#include "rpc/departures.h"

namespace steertag::rpc {

class Exchanges {
 public:
  // Exchanges without a Reply on one connection; beyond that the oldest is reported
  // as it stands. Grants of credits are far below this.
  static constexpr size_t kMaxOpen = 1024;

  // Both must outlive it.
  Exchanges(ConnectionState& state, Departures& departures) : state_(state), departures_(departures) {}
  Exchanges(const Exchanges&) = delete;
  Exchanges& operator=(const Exchanges&) = delete;

  void on_call(const Message& call);
  void on_reply(const Message& reply);  // also RDMA_ERROR
  void on_done(const Message& done);    // RDMA_DONE
  // What was taken for a Reply conveyed in Read chunks may have been a Call (taken_by_xid()). It was one if
  // `answer` answers that Call, or answers once more what was taken for answered. Its sender, and it is a
  // Call from now on; unset: there is none.
  std::optional<Side> reconsider(const Message& answer);
  // Some Reply was taken for one by its XID alone.
  bool ever_unclear() const { return ever_unclear_; }
  // A message of an unknown extension: it may advertise memory, convey part of an RPC, or answer one.
  void on_unknown_option(const Message& message);
  // Whether a Call had to make room for another since this was last asked.
  bool reported_early() { return std::exchange(reported_early_, false); }

 private:
  Slot& begin(const Message& message, Side requester);
  void make_room();
  void reopen(Slot& slot);

  ConnectionState& state_;
  Departures& departures_;
  bool ever_unclear_ = false;
  bool reported_early_ = false;
};

}  // namespace steertag::rpc
