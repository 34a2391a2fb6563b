// Timekeeper: takes the times of one connection's RPCs: when the Call was accepted, when RDMA moved
// something, which copy of the Reply was accepted. An Exchange that was reported stays with it until the
// Requester has acknowledged the Reply; then its Timing is complete, and it is reported as timed.
//
// Used only with Settings::for_reports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "flow/message.h"
#include "flow/slots.h"
#include "flow/transit.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

struct Common;

class Timekeeper final : public rdma::Arrivals {
 public:
  // Exchanges of one Requester whose Reply was not acknowledged; beyond that the oldest has no times.
  static constexpr size_t kMaxKept = 1024;

  // Both must outlive it.
  Timekeeper(track::Connection& connection, Common& common)
      : connection_(connection), common_(common), transit_(connection) {}
  ~Timekeeper() { give_up(Fate::forgotten); }
  Timekeeper(const Timekeeper&) = delete;
  Timekeeper& operator=(const Timekeeper&) = delete;

  Transit& transit() { return transit_; }
  void on_late(const rdma::Late& late) override { transit_.on_late(late); }
  void on_duplicate(Side by, uint64_t begin, uint64_t end) override {
    transit_.sent(rdma::other(by)).received_twice(begin, end);
  }
  void on_room(Side by, bool room, const Stamp& at) override;
  void on_accepted(Side by, uint64_t position, const Stamp& at) override;

  // What happens to an Exchange.
  void on_call(Slot& slot, const Message& call);
  void on_rdma(Exchange& exchange, const rdma::RdmaOp& op);
  void on_reply(Slot& slot, const Message& reply);
  void reopen(Slot& slot);  // what was taken for its Reply was none
  // It was reported, if the connection is known to carry RPC-over-RDMA; the Slot is given back when it is
  // reported as timed, now or later. Else nobody hears of it any more.
  void retire(Slot& slot);

  // Nothing more comes, or there is no room: what becomes of what it keeps.
  enum class Fate : uint8_t { reported, forgotten };
  void give_up(Fate fate);
  bool any() const { return !replies_[0].empty() || !replies_[1].empty(); }

 private:
  using Awaited = LinkedSlots<&Slot::awaiting>;

  void await(Slot& slot, Slot::Awaits what);
  void leave(Slot& slot);
  void report(Slot& slot);

  track::Connection& connection_;
  Common& common_;
  Transit transit_;
  std::array<Awaited, 2> calls_, replies_;  // not acknowledged yet, by Requester
};

}  // namespace steertag::flow
