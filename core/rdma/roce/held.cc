#include "rdma/roce/held.h"

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
  if (spare_.size() < kMaxSpare) {
    spare_.push_back(std::move(held));
  } else {
    bytes_ -= sizeof(Held) + held->bytes.capacity();
  }
}

void HeldQueue::insert(size_t place, std::unique_ptr<Held> held) {
  items_.insert(items_.begin() + static_cast<ptrdiff_t>(begin_ + place), std::move(held));
}

// What was taken from the front leaves its place when it is half of all, so each is moved once or twice.
std::unique_ptr<Held> HeldQueue::pop() {
  std::unique_ptr<Held> front = std::move(items_[begin_++]);
  if (begin_ * 2 >= items_.size()) {
    items_.erase(items_.begin(), items_.begin() + static_cast<ptrdiff_t>(begin_));
    begin_ = 0;
  }
  return front;
}

}  // namespace steertag::rdma::roce
