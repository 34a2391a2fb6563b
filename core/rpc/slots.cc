#include "rpc/slots.h"

#include <utility>

namespace steertag::rpc {

Slot* SlotPool::take() {
  std::unique_ptr<Slot> slot;
  if (spare_.empty()) {
    slot = std::make_unique<Slot>();
  } else {
    slot = std::move(spare_.back());
    spare_.pop_back();
  }
  slot->advertisement.exchange = &slot->exchange;
  return slot.release();
}

void SlotPool::give_back(Slot* slot) {
  STEERTAG_CHECK(slot->links.older == nullptr && slot->links.newer == nullptr &&
                 slot->advertisement.ordinal == 0 && slot->awaits == Slot::Awaits::nothing);
  std::unique_ptr<Slot> taken(slot);
  const size_t charged = slot->charged;
  static_cast<SlotFacts&>(*slot) = {};
  slot->charged = charged;
  slot->exchange.reset();
  if (spare_.size() < kMaxSpare) {
    recharge(*slot);
    spare_.push_back(std::move(taken));
  } else {
    budget_.release(charged);
  }
}

void SlotPool::shrink() {
  for (const std::unique_ptr<Slot>& slot : spare_) {
    budget_.release(slot->charged);
  }
  spare_.clear();
}

}  // namespace steertag::rpc
