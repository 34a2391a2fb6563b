#include "rdma/roce/waiting_room.h"

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

size_t WaitingRoom::place_of(uint32_t psn) const {
  const auto before = [&](size_t i) { return psn_distance(queue_[i].packet.psn, psn) < 0; };
  size_t end = queue_.size();
  if (end == 0 || before(end - 1)) [[likely]] {
    return end;
  }
  size_t begin = 0;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (before(middle)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

const Held* WaitingRoom::find(uint32_t psn) const {
  const size_t place = place_of(psn);
  return place < queue_.size() && queue_[place].packet.psn == psn ? &queue_[place] : nullptr;
}

void WaitingRoom::add(const Packet& packet, const Stamp& at) {
  bytes_ += packet.payload.size();
  queue_.insert(place_of(packet.psn), shelf_.keep(packet, at));
}

std::unique_ptr<Held> WaitingRoom::pop() {
  std::unique_ptr<Held> front = queue_.pop();
  bytes_ -= front->bytes.size();
  return front;
}

void WaitingRoom::clear() {
  while (!empty()) {
    shelf_.put_back(pop());
  }
}

}  // namespace steertag::rdma::roce
