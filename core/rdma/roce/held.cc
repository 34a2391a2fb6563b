#include "rdma/roce/held.h"

#include <algorithm>
#include <utility>

namespace steertag::rdma::roce {

std::unique_ptr<Held> Shelf::keep(const Packet& packet, const Stamp& at) {
  std::unique_ptr<Held> kept;
  if (spare_.empty()) {
    kept = std::make_unique<Held>();
    bytes_ += sizeof(Held);
  } else {
    kept = std::move(spare_.back());
    spare_.pop_back();
  }
  ++lent_;
  bytes_ -= kept->bytes.capacity();
  kept->bytes.assign(packet.payload.begin(), packet.payload.end());
  bytes_ += kept->bytes.capacity();
  kept->packet = packet;
  kept->packet.payload = kept->bytes;
  if (packet.captured != nullptr) {
    kept->packet.seal = verified_seal(*packet.captured);
    kept->packet.captured = nullptr;
  }
  kept->at = at;
  return kept;
}

void Shelf::put_back(std::unique_ptr<Held> held) {
  --lent_;
  if (spare_.size() < kMaxSpare && held->bytes.capacity() <= kMaxSpareBytes) {
    spare_.push_back(std::move(held));
  } else {
    bytes_ -= sizeof(Held) + held->bytes.capacity();
  }
}

void Shelf::shrink() {
  for (const std::unique_ptr<Held>& unused : spare_) {
    bytes_ -= sizeof(Held) + unused->bytes.capacity();
  }
  spare_.clear();
}

// The shorter side moves, so that what comes in order, or in the opposite one, moves nothing.
void HeldQueue::insert(size_t place, std::unique_ptr<Held> held) {
  if (place * 2 >= size()) {
    items_.insert(items_.begin() + static_cast<ptrdiff_t>(begin_ + place), std::move(held));
    return;
  }
  if (begin_ == 0) {
    const size_t room = items_.size();
    items_.resize(2 * room);
    std::move_backward(items_.begin(), items_.begin() + static_cast<ptrdiff_t>(room), items_.end());
    begin_ = room;
  }
  const auto first = items_.begin() + static_cast<ptrdiff_t>(begin_);
  std::move(first, first + static_cast<ptrdiff_t>(place), first - 1);
  --begin_;
  items_[begin_ + place] = std::move(held);
}

// Room in front is given up when it is three quarters of all: each packet moves a few times at most.
std::unique_ptr<Held> HeldQueue::pop() {
  std::unique_ptr<Held> front = std::move(items_[begin_++]);
  if (begin_ * 4 >= items_.size() * 3) {
    items_.erase(items_.begin(), items_.begin() + static_cast<ptrdiff_t>(begin_));
    begin_ = 0;
  }
  return front;
}

}  // namespace steertag::rdma::roce
