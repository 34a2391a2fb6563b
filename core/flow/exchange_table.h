// ExchangeTable: the RPCs of one connection that are under way, both directions.
// A Call opens an Exchange and advertises its segments; RDMA Reads and Writes
// are placed into them; the Reply closes it. It lingers a little, for what a tap
// shows late, before it is told; after a Reply with a Read list (RFC 5666 §3.5)
// until the RDMA_DONE for it has come, or has not for long.
//
// XIDs are per Requester: a backward Call may use one that is live forward.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "flow/access_judge.h"
#include "flow/early_effects.h"
#include "flow/exchange.h"
#include "flow/live_segments.h"
#include "flow/message.h"
#include "flow/sink.h"

namespace steertag::flow {

class ExchangeTable final : private AccessJudge::Exchanges {
 public:
  // Exchanges without a Reply on one connection; beyond that the oldest is told
  // as it stands. Grants of credits are far below this.
  static constexpr size_t kMaxOpen = 1024;
  // Exchanges that linger after their Reply; beyond that the oldest is told.
  static constexpr size_t kMaxClosing = 1024;
  // Exchanges that wait for an RDMA_DONE, and for how long; beyond that the oldest is told.
  static constexpr size_t kMaxOwing = 256;
  static constexpr int64_t kDonePatienceNs = 30'000'000'000;
  // Segments that one Exchange follows; what a longer Call or Reply offers beyond them is not.
  static constexpr size_t kMaxSegments = 1024;

  ExchangeTable(track::Connection& connection, Sink& sink, const Settings& settings)
      : connection_(connection), sink_(sink), settings_(settings) {}

  bool is_open(Side requester, uint32_t xid) const { return find_open(requester, xid) != nullptr; }
  const Exchange* find_open(Side requester, uint32_t xid) const;  // null where none is
  uint32_t open_calls(Side requester) const { return accounts_[rdma::index(requester)].open; }
  // Those that were opened after the latest gap that may hide a Reply to them.
  uint32_t certainly_open_calls(Side requester) const { return accounts_[rdma::index(requester)].certain; }
  // Whether Calls of it were given up to make room, or cut in front of their XID, so that a Reply may find
  // none.
  bool forgot(Side requester) const { return accounts_[rdma::index(requester)].forgot; }
  // An unanswered Call that offers the handle; null where there is none.
  const Exchange* find_offer(Side owner, uint32_t handle) const;
  // The Send With Invalidate that took the handle back, which no Call has offered since.
  std::optional<Stamp> rescinded(Side owner, uint32_t handle) const;
  // Memory for results that this Call offers although it is part of another unanswered Call.
  std::optional<Overlap> find_overlap(const Message& call) const;
  bool offers(Side owner, uint32_t handle) const { return live_[rdma::index(owner)].knows(handle); }

  // What this Call, or this Reply with a Read list, brought about was shown before it.
  bool foreshown(const Message& message) const { return early_.of(message); }

  void on_call(const Message& call);
  void on_reply(const Message& reply);  // also RDMA_ERROR
  void on_done(const Message& done);    // RDMA_DONE
  // A message of which not even the fixed words were captured: it may have been a Call of `from`.
  void on_nameless(Side from);
  // It may advertise memory, convey part of an RPC, or answer one, without its being known here.
  void on_unknown_option(const Message& message);
  // Calls of that version that were sent before then are taken for lost by their Requester: they no longer
  // count as outstanding, although a Reply still finds them.
  void give_up(Side requester, uint32_t version, int64_t before_ns);
  void on_rdma(const rdma::RdmaOp& op);  // Write, Read Request, Read Response
  void on_gap(Side from);
  void on_repeat() { ++repeats_; }
  void on_nak() { ++naks_; }
  // Nothing is told before the connection is known to carry RPC-over-RDMA.
  void on_claimed() { telling_ = true; }

  // Tells the Exchanges whose time has come.
  void flush(int64_t now_ns);
  // Earliest time at which flush() has something to do; INT64_MAX for none.
  int64_t due() const { return std::min(due(closing_), due(owing_)); }

  // Tells everything. `over`: the connection has ended, so that a Reply which
  // was not seen did not come; otherwise the capture ended.
  void finish(bool over);
  void drop();  // forgets everything

 private:
  struct Slot {
    Exchange exchange;
    uint64_t opened = 0;  // ordinal
    int64_t due_ns = 0;
    uint32_t gaps = 0, repeats = 0, naks = 0;  // of the connection, when it was opened
    bool cut = false;                          // its Call's chunk lists were not captured whole
    bool unreadable = false;                   // nor can anybody make them out
    bool replied = false;
    bool parts = false;         // messages of an unknown extension may be, or may have been, its Reply
    bool outstanding = false;   // counted in its Requester's Account
    uint32_t account_gaps = 0;  // Account::gaps, when it was opened
  };
  struct Account {  // of one Requester
    uint32_t open = 0, certain = 0;
    uint32_t gaps = 0;    // that may hide Replies to it
    bool forgot = false;  // an open Call had to give way
  };

  static uint64_t key(Side requester, uint32_t xid) { return uint64_t{rdma::index(requester)} << 32 | xid; }
  uint32_t take_slot();
  void begin(Slot& slot, const Message& message, Side requester);
  void advertise(uint32_t number, uint32_t first);
  void mark_shared(uint32_t number, const rpcrdma::Segment& results);
  void mark_over(uint32_t number, Side owner);
  void take_back(uint32_t number);
  void take_returned(Slot& slot, const Message& reply);
  void take_reads(uint32_t number, const Message& reply);
  void close(uint32_t number, int64_t due_ns, bool owing);
  int64_t due(const std::deque<uint32_t>& queue) const {
    return queue.empty() ? INT64_MAX : slots_[queue.front()]->due_ns;
  }
  void tell_due(std::deque<uint32_t>& queue, int64_t now_ns);
  void tell(uint32_t number, Doubt doubt);
  Doubt doubt_about(const Slot& slot) const;
  void count_disturbances(Slot& slot) const;
  void find_procedure(Exchange& exchange);
  void find_answer(Exchange& exchange);

  void place(const rdma::RdmaOp& op, Side owner, bool reading);
  void judge(const rdma::RdmaOp& op);
  const Exchange& exchange(uint32_t number) const override { return slots_[number]->exchange; }
  void close_account(Slot& slot);

  void touch(const LiveSegments::Place& place, const rdma::RdmaOp& op, uint32_t skip, uint32_t length);

  track::Connection& connection_;
  Sink& sink_;
  const Settings& settings_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<uint32_t> free_;
  absl::flat_hash_map<uint64_t, uint32_t> open_;
  std::deque<uint32_t> closing_;      // answered; by due time
  std::deque<uint32_t> owing_;        // the same, where an RDMA_DONE is due
  std::array<LiveSegments, 2> live_;  // by owner of the memory
  std::array<Account, 2> accounts_;   // by Requester
  AccessJudge access_;
  EarlyEffects early_;
  uint64_t opened_ = 0;
  uint32_t gaps_ = 0, repeats_ = 0, naks_ = 0;
  bool telling_ = false;
  uint64_t orphans_ = 0;  // Replies whose Call was not open
};

}  // namespace steertag::flow
