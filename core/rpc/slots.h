// Slot: an Exchange that has not been reported yet, with the bookkeeping for it.
// SlotPool: recycles Slots for all Conversations, and charges their memory to the budget, also
// that of spare ones.
// LinkedSlots: an intrusive list of Slots in order of arrival; any of them can leave at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "base/check.h"
#include "flow/exchange.h"
#include "memory/traffic_keeper.h"

namespace steertag::rpc {

// What went wrong on a connection so far, counted.
struct Disturbances {
  uint32_t gaps = 0, retransmissions = 0, naks = 0;
  uint64_t orphans = 0;  // Replies whose Call was not open
};

// The members of a Slot that are reset to their defaults when it is reused.
struct SlotFacts {
  int64_t due_ns = 0;   // answered: when it is to be reported
  Disturbances before;  // of the connection, when the Exchange was opened
  bool cut = false;     // the Call's chunk lists were not captured whole
  bool replied = false;
  bool parts = false;         // messages of an extension that is not known may be pieces of its Reply
  bool outstanding = false;   // counted in its Requester's account (open_calls.h) ...
  uint32_t account_gaps = 0;  // ... which had seen so many gaps by then
  // Its place with the Timekeeper.
  enum class Awaits : uint8_t { nothing, call_accepted, reply_accepted };
  Awaits awaits = Awaits::nothing;
  bool reported = false;  // only its Timing is not complete
  size_t charged = 0;     // bytes, to the budget
};

struct Slot;

// Its place in a list.
struct SlotLinks {
  Slot *older = nullptr, *newer = nullptr;
};

struct Slot : SlotFacts {
  Exchange exchange;
  // The message taken for the Reply may really have been a Call of its sender with the same XID. This Slot
  // holds that Call, for the case that another answer shows it was one (Exchanges::reconsider()).
  Slot* instead = nullptr;
  memory::Advertisement advertisement;

  SlotLinks links;           // in the SlotList that it stands in, if any
  SlotLinks awaiting;        // in the Timekeeper's
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
  void shrink();  // frees the spare ones
  // Its Exchange has grown.
  void recharge(Slot& slot) {
    slot.charged =
        budget_.recharge(slot.charged, sizeof(Slot) + slot.advertisement.bytes() + slot.exchange.bytes());
  }

 private:
  base::Budget& budget_;
  std::vector<std::unique_ptr<Slot>> spare_;
};

template <SlotLinks Slot::*kLinks>
class LinkedSlots {
 public:
  void add(Slot& slot) {
    slot.*kLinks = {newest_, nullptr};
    (newest_ != nullptr ? (newest_->*kLinks).newer : oldest_) = &slot;
    newest_ = &slot;
    ++size_;
  }
  void remove(Slot& slot) {
    STEERTAG_CHECK(size_ != 0);
    const SlotLinks links = slot.*kLinks;
    (links.older != nullptr ? (links.older->*kLinks).newer : oldest_) = links.newer;
    (links.newer != nullptr ? (links.newer->*kLinks).older : newest_) = links.older;
    slot.*kLinks = {};
    --size_;
  }
  Slot* oldest() const { return oldest_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  Slot *oldest_ = nullptr, *newest_ = nullptr;
  size_t size_ = 0;
};

using SlotList = LinkedSlots<&Slot::links>;

}  // namespace steertag::rpc
