#include "flow/traffic.h"

#include <algorithm>

namespace steertag::flow {

namespace {

constexpr size_t kMuch = 128 << 10;  // bytes that one vector may keep for its next use: an I/O of 64 KiB

template <typename T>
void empty(std::vector<T>& list) {
  if (list.capacity() * sizeof(T) > kMuch) {
    std::vector<T>().swap(list);
  } else {
    list.clear();
  }
}

}  // namespace

void Traffic::add(const rdma::RdmaOp& op, const Part& part, uint32_t payload_limit) {
  if (op.kind != rdma::OpKind::read_response && last_op != op.id) {
    last_op = op.id;
    ++ops;
  }
  if (op.kind == rdma::OpKind::read_request) {
    requested.add(part.offset, part.length);
    return;
  }
  if (moved.add(part.offset, part.length) == 0) {
    return;
  }
  for (const Stamp& frame : op.frames) {
    if (frames.size() < kMaxFrames && (frames.empty() || !(frames.back() == frame))) {
      frames.push_back(frame);
    }
  }
  const Bytes captured = slice(op.payload, part.skip, part.length);
  if (part.offset < payload_limit && !captured.empty()) {
    const size_t kept = std::min<size_t>(captured.size(), payload_limit - part.offset);
    const Bytes piece = slice(captured, 0, kept);
    if (part.offset == data.size()) {  // nearly always: no zeros first
      data.insert(data.end(), piece.begin(), piece.end());
    } else {
      data.resize(std::max<size_t>(data.size(), part.offset + kept));
      std::copy(piece.begin(), piece.end(), data.begin() + static_cast<ptrdiff_t>(part.offset));
    }
    held.add(part.offset, kept);
  }
}

void Traffic::clear() {
  for (base::RangeSet* set : {&moved, &requested, &held}) {
    if (set->intervals().capacity() * sizeof(base::RangeSet::Interval) > kMuch) {
      *set = {};
    } else {
      set->clear();
    }
  }
  empty(frames);
  empty(data);
  ops = 0;
  last_op = 0;
}

size_t Traffic::bytes() const {
  const size_t intervals =
      moved.intervals().capacity() + requested.intervals().capacity() + held.intervals().capacity();
  return sizeof(Traffic) + intervals * sizeof(base::RangeSet::Interval) + frames.capacity() * sizeof(Stamp) +
         data.capacity();
}

// Where unused ones go: owned by the pool, and after it by those that are out still.
struct TrafficHome {
  base::Budget* budget = nullptr;  // null: the pool is gone
  size_t out = 0;
  std::vector<std::unique_ptr<TrafficRef::Shared>> spare;

  void recharge(TrafficRef::Shared& changed) const {
    changed.charged = budget->recharge(changed.charged, changed.traffic.bytes());
  }
};

void TrafficRef::give_back() {
  std::unique_ptr<Shared> taken(shared_);
  TrafficHome& home = *taken->home;
  --home.out;
  if (home.budget == nullptr) {
    if (home.out == 0) {
      delete &home;
    }
    return;
  }
  if (home.spare.size() < TrafficPool::kMaxSpare) {
    taken->traffic.clear();
    home.recharge(*taken);
    home.spare.push_back(std::move(taken));
  } else {
    home.budget->release(taken->charged);
  }
}

void TrafficPool::shrink() {
  for (const std::unique_ptr<TrafficRef::Shared>& unused : home_->spare) {
    home_->budget->release(unused->charged);
  }
  home_->spare.clear();
}

TrafficPool::TrafficPool(base::Budget& budget) : home_(new TrafficHome{&budget, 0, {}}) {}

TrafficPool::~TrafficPool() {
  shrink();
  home_->budget = nullptr;
  if (home_->out == 0) {
    delete home_;
  }
}

TrafficRef TrafficPool::make() {
  std::unique_ptr<TrafficRef::Shared> made;
  if (home_->spare.empty()) {
    made = std::make_unique<TrafficRef::Shared>();
  } else {
    made = std::move(home_->spare.back());
    home_->spare.pop_back();
  }
  made->home = home_;
  ++home_->out;
  home_->recharge(*made);
  return TrafficRef(made.release());
}

TrafficRef TrafficPool::make(Traffic with) {
  TrafficRef made = make();
  made.shared_->traffic = std::move(with);
  home_->recharge(*made.shared_);
  return made;
}

void TrafficPool::add(const TrafficRef& to, const rdma::RdmaOp& op, const Traffic::Part& part,
                      uint32_t payload_limit) {
  to.shared_->traffic.add(op, part, payload_limit);
  home_->recharge(*to.shared_);
}

}  // namespace steertag::flow
