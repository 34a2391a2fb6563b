// Slot: an Exchange that is under way or lingers, with what has to be known of it until it is reported.
// SlotPool: Slots that are used again and again, by all Conversations; those that are not
// in use are charged, too, for the memory that they keep.
// SlotList: Slots in the order in which they came, each of which can leave at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "flow/exchange.h"
#include "flow/traffic_keeper.h"

namespace steertag::flow {

// What went wrong on a connection so far, counted.
struct Disturbances {
  uint32_t gaps = 0, retransmissions = 0, naks = 0;
};

// Of a Slot, all that begins anew with each Exchange.
struct SlotFacts {
  int64_t due_ns = 0;   // answered: when it is to be reported
  Disturbances before;  // of the connection, when it was opened
  bool cut = false;     // the Call's chunk lists were not captured whole
  bool replied = false;
  bool parts = false;         // messages of an extension that is not known may be pieces of its Reply
  bool outstanding = false;   // counted in its Requester's account ...
  uint32_t account_gaps = 0;  // ... which was that old then
  size_t charged = 0;         // bytes, to the budget
};

struct Slot : SlotFacts {
  Exchange exchange;
  // A callback's: the Call that its Reply is instead, should another answer show that (reconsider.cc).
  Slot* instead = nullptr;
  Advertisement advertisement;

  // In the SlotList that it stands in, if any.
  Slot *older = nullptr, *newer = nullptr;
  Slot* same_xid = nullptr;  // the next one that owes an RDMA_DONE for the same XID
};

// Names an RPC of one connection: XIDs are the Requester's.
constexpr uint64_t rpc_key(Side requester, uint32_t xid) {
  return uint64_t{rdma::index(requester)} << 32 | xid;
}

class SlotPool {
 public:
  static constexpr size_t kMaxSpare = 256;

  explicit SlotPool(base::Budget& budget) : budget_(budget) {}
  ~SlotPool() { shrink(); }
  SlotPool(const SlotPool&) = delete;
  SlotPool& operator=(const SlotPool&) = delete;
  Slot* take();
  void give_back(Slot* slot);
  void shrink();  // frees those that are not in use
  // The Exchange has grown.
  void recharge(Slot& slot) {
    slot.charged =
        budget_.recharge(slot.charged, sizeof(Slot) + slot.advertisement.bytes() + slot.exchange.bytes());
  }

 private:
  base::Budget& budget_;
  std::vector<std::unique_ptr<Slot>> spare_;
};

class SlotList {
 public:
  void add(Slot& slot);
  void remove(Slot& slot);
  Slot* oldest() const { return oldest_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  Slot *oldest_ = nullptr, *newest_ = nullptr;
  size_t size_ = 0;
};

}  // namespace steertag::flow
