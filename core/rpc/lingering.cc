#include "rpc/lingering.h"

#include "base/check.h"

namespace steertag::rpc {

Slot* Lingering::close(Slot& slot, int64_t due_ns) {
  slot.due_ns = due_ns;
  answered_.note(slot.exchange);
  closing_.add(slot);
  if (closing_.size() <= kMaxClosing) {
    return nullptr;
  }
  Slot* oldest = closing_.oldest();
  closing_.remove(*oldest);
  return oldest;
}

Slot* Lingering::take_left_ahead(int64_t due_ns) {
  Slot* oldest = closing_.oldest();
  if (oldest == nullptr || oldest->due_ns - due_ns <= kClockWasSetNs) [[likely]] {
    return nullptr;
  }
  closing_.remove(*oldest);
  return oldest;
}

Slot* Lingering::owe(Slot& slot, int64_t due_ns) {
  slot.due_ns = due_ns;
  answered_.note(slot.exchange);
  owing_.add(slot);
  Slot** last = &owing_by_xid_[rpc_key(slot.exchange.requester, slot.exchange.xid)];
  while (*last != nullptr) {
    last = &(*last)->same_xid;
  }
  *last = &slot;
  if (owing_.size() <= kMaxOwing) {
    return nullptr;
  }
  Slot* oldest = owing_.oldest();
  forgive(*oldest);
  return oldest;
}

Slot* Lingering::find_owing(Side requester, uint32_t xid) const {
  const auto found = owing_by_xid_.find(rpc_key(requester, xid));
  return found == owing_by_xid_.end() ? nullptr : found->second;
}

Slot* Lingering::confirm(Side requester, uint32_t xid) {
  Slot* slot = find_owing(requester, xid);
  if (slot != nullptr) {
    forgive(*slot);
  }
  return slot;
}

// Those with one XID leave in the order in which they came.
void Lingering::forgive(Slot& slot) {
  const auto found = owing_by_xid_.find(rpc_key(slot.exchange.requester, slot.exchange.xid));
  STEERTAG_CHECK(found != owing_by_xid_.end() && found->second == &slot);
  found->second = std::exchange(slot.same_xid, nullptr);
  if (found->second == nullptr) {
    owing_by_xid_.erase(found);
  }
  owing_.remove(slot);
}

Slot* Lingering::take_due(int64_t now_ns) {
  Slot* slot = nullptr;
  if (due(closing_) <= now_ns && !closing_.empty()) {
    slot = closing_.oldest();
    closing_.remove(*slot);
  } else if (due(owing_) <= now_ns && !owing_.empty()) {
    slot = owing_.oldest();
    forgive(*slot);
  }
  return slot;
}

}  // namespace steertag::rpc
