// WaitingRoom: the packets of one direction that wait behind a hole in the PSN sequence, sorted
// by PSN, until the hole is filled or given up. Lookup is by binary search; packets that come in
// order, as most do, are appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rdma/roce/held.h"

namespace steertag::rdma::roce {

class WaitingRoom {
 public:
  // Bounds on what waits. Where one is reached the hole is taken for capture loss.
  static constexpr size_t kMaxPackets = 4096;
  static constexpr size_t kMaxBytes = 1 << 20;  // of payload

  explicit WaitingRoom(Shelf& shelf) : shelf_(shelf) {}

  // The one with this PSN, null where none waits. PSNs of what waits are less than 2^23 apart.
  const Held* find(uint32_t psn) const;
  // Precondition: none with its PSN waits.
  void add(const Packet& packet, const Stamp& at);

  bool empty() const { return queue_.empty(); }
  size_t size() const { return queue_.size(); }
  const Held& front() const { return queue_.front(); }
  // Takes out the front; the caller puts it back on the shelf after use.
  std::unique_ptr<Held> pop();
  void clear();

  // Whether one more packet, of that many bytes, would exceed the bounds; whether they are exceeded already.
  bool full_with(size_t bytes) const { return size() == kMaxPackets || bytes_ + bytes > kMaxBytes; }
  bool overfull() const { return size() > kMaxPackets || bytes_ > kMaxBytes; }

 private:
  size_t place_of(uint32_t psn) const;  // the index of the first packet whose PSN is not before `psn`

  Shelf& shelf_;
  HeldQueue queue_;
  size_t bytes_ = 0;  // of payload
};

}  // namespace steertag::rdma::roce
