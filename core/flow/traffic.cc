#include "flow/traffic.h"

#include <algorithm>

namespace steertag::flow {
namespace {

constexpr size_t kMuch = 128 << 10;  // bytes that one vector may keep for its next use: an I/O of 64 KiB

template <typename List>
void empty(List& list) {
  if (list.capacity() * sizeof(list[0]) > kMuch) {
    List().swap(list);
  } else {
    list.erase(list.begin(), list.end());  // InlinedVector's clear() gives its memory back
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
    const bool much = set->bytes() > kMuch;
    set->clear();
    if (much) {
      set->shrink();
    }
  }
  empty(frames);
  empty(data);
  ops = 0;
  last_op = 0;
}

size_t Traffic::bytes() const {
  return sizeof(Traffic) + moved.bytes() + requested.bytes() + held.bytes() +
         frames.capacity() * sizeof(Stamp) + data.capacity();
}

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
  taken->traffic.clear();
  home.recharge(*taken);
  if (home.spare_bytes + taken->charged <= TrafficPool::kMaxSpareBytes) {
    home.spare_bytes += taken->charged;
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
  home_->spare_bytes = 0;
}

TrafficPool::TrafficPool(base::Budget& budget) : home_(new TrafficHome{&budget, 0, {}, 0}) {}

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
    const size_t all = home_->out + 1;  // may become spare, in destructors, in which nothing may fail
    if (home_->spare.capacity() < all) {
      home_->spare.reserve(2 * all);
    }
    made = std::make_unique<TrafficRef::Shared>();
  } else {
    made = std::move(home_->spare.back());
    home_->spare.pop_back();
    home_->spare_bytes -= made->charged;
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

}  // namespace steertag::flow
