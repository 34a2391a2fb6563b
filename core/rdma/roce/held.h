// Held: an owning copy of a packet that has to outlive its frame.
// Shelf: the pool of such packets, which reuses and counts their memory.
// HeldQueue: some of them, in an order that its owner gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "frame.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {

struct Held {
  Packet packet;  // its payload lies in `bytes`
  Stamp at;
  std::vector<uint8_t> bytes;
};

class Shelf {
 public:
  static constexpr size_t kMaxSpare = 16;            // packets ...
  static constexpr size_t kMaxSpareBytes = 8 << 10;  // ... of so many bytes each: any path MTU is less

  std::unique_ptr<Held> keep(const Packet& packet, const Stamp& at);
  void put_back(std::unique_ptr<Held> held);
  void shrink();  // frees the spare ones

  // Memory of all that was kept and not put back, and of the spare ones, bytes.
  size_t bytes() const { return bytes_; }
  bool lends() const { return lent_ != 0; }  // something was kept and not put back

 private:
  std::vector<std::unique_ptr<Held>> spare_;
  size_t lent_ = 0;
  size_t bytes_ = 0;
};

class HeldQueue {
 public:
  bool empty() const { return items_.empty(); }
  size_t size() const { return items_.size() - begin_; }
  const Held& operator[](size_t i) const { return *items_[begin_ + i]; }
  const Held& front() const { return *items_[begin_]; }

  // Before the one that has the index `place` now; size(): at the end.
  void insert(size_t place, std::unique_ptr<Held> held);
  std::unique_ptr<Held> pop();  // the front; precondition: not empty

 private:
  std::vector<std::unique_ptr<Held>> items_;  // those from begin_ on
  size_t begin_ = 0;
};

}  // namespace steertag::rdma::roce
