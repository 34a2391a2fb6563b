#include "flow/slots.h"

#include <utility>

#include "base/check.h"

namespace steertag::flow {

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
  STEERTAG_CHECK(slot->older == nullptr && slot->newer == nullptr && slot->advertisement.ordinal == 0);
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

void SlotList::add(Slot& slot) {
  slot.older = newest_;
  slot.newer = nullptr;
  (newest_ != nullptr ? newest_->newer : oldest_) = &slot;
  newest_ = &slot;
  ++size_;
}

void SlotList::remove(Slot& slot) {
  STEERTAG_CHECK(size_ != 0);
  (slot.older != nullptr ? slot.older->newer : oldest_) = slot.newer;
  (slot.newer != nullptr ? slot.newer->older : newest_) = slot.older;
  slot.older = slot.newer = nullptr;
  --size_;
}

}  // namespace steertag::flow
