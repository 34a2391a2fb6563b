// Traffic: what RDMA Reads or Writes carried of one range of memory: which bytes, in which
// frames, and the data as far as it is kept. Segments that advertise the same bytes to be read
// share one (traffic_keeper.h), so that the data is kept once.
//
// TrafficRef: a reference-counted, read-only pointer to a Traffic. The last one returns it to its
// TrafficPool, or frees it where a copy of an Exchange has outlived the pool.
//
// TrafficPool: makes, fills and recycles them.
#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/range_set.h"
#include "frame.h"
#include "rdma/op.h"

namespace steertag::flow {

struct Traffic {
  base::RangeSet moved;                  // offsets from the start of the range that RDMA carried
  base::RangeSet requested;              // offsets that RDMA Read Requests asked for
  uint32_t ops = 0;                      // Read Requests or Write messages; retransmissions not counted
  uint64_t last_op = 0;                  // RdmaOp::id of the latest that touched it
  absl::InlinedVector<Stamp, 1> frames;  // that carried those bytes; at most kMaxFrames

  // The data, from the start of the range, as far as it was captured and Settings::payload_limit allows;
  // `held` says which bytes are real.
  std::vector<uint8_t> data;
  base::RangeSet held;

  // Above this many the frames are counted in `ops` and `moved`, but not listed.
  static constexpr size_t kMaxFrames = 65536;

  // A part of `op`: `length` bytes, at `offset` in the range and at `skip` in the operation's piece.
  struct Part {
    uint64_t offset = 0;
    uint32_t skip = 0, length = 0;
  };
  void add(const rdma::RdmaOp& op, const Part& part, uint32_t payload_limit);
  void clear();          // keeps the memory, unless it is much
  size_t bytes() const;  // of the heap
};

struct TrafficHome;

class TrafficRef {
 public:
  TrafficRef() = default;
  TrafficRef(const TrafficRef& other) : shared_(other.shared_) { keep(); }
  TrafficRef(TrafficRef&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  TrafficRef& operator=(TrafficRef other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~TrafficRef() {
    if (shared_ != nullptr && --shared_->refs == 0) {
      give_back();
    }
  }

  explicit operator bool() const { return shared_ != nullptr; }
  const Traffic& operator*() const { return shared_->traffic; }
  bool alone() const { return shared_->refs == 1; }
  friend bool operator==(const TrafficRef&, const TrafficRef&) = default;

 private:
  friend class TrafficPool;
  friend struct TrafficHome;
  struct Shared {
    Traffic traffic;
    TrafficHome* home = nullptr;
    uint32_t refs = 0;
    size_t charged = 0;
  };
  explicit TrafficRef(Shared* shared) : shared_(shared) { keep(); }
  void give_back();
  void keep() {
    if (shared_ != nullptr) {
      ++shared_->refs;
    }
  }

  Shared* shared_ = nullptr;
};

// Where unused ones go: owned by the pool, and after it by those that are out still.
struct TrafficHome {
  base::Budget* budget = nullptr;  // null: the pool is gone
  size_t out = 0;
  std::vector<std::unique_ptr<TrafficRef::Shared>> spare;
  size_t spare_bytes = 0;

  void recharge(TrafficRef::Shared& changed) const {
    changed.charged = budget->recharge(changed.charged, changed.traffic.bytes());
  }
};

class TrafficPool {
 public:
  static constexpr size_t kMaxSpareBytes = 8 << 20;  // kept for the next use

  explicit TrafficPool(base::Budget& budget);
  ~TrafficPool();
  TrafficPool(const TrafficPool&) = delete;
  TrafficPool& operator=(const TrafficPool&) = delete;

  TrafficRef make();
  TrafficRef make(Traffic with);
  void shrink();  // frees what has no reference
  void add(const TrafficRef& to, const rdma::RdmaOp& op, const Traffic::Part& part, uint32_t payload_limit) {
    to.shared_->traffic.add(op, part, payload_limit);
    home_->recharge(*to.shared_);
  }

 private:
  TrafficHome* home_;
};

}  // namespace steertag::flow
