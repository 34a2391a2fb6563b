#include "rdma/roce/reads.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

namespace {

constexpr int32_t kWidestOverrun = 1 << 12;  // PSNs

}  // namespace

void Reads::add(uint64_t id, uint32_t psn, const Memory& memory, const Stamp& at) {
  if (used_ == ring_.size() && ring_.size() < kMaxReads) {
    // Straighten the ring before it grows, so that begin_ + i stays the order of age.
    std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(begin_), ring_.end());
    begin_ = 0;
    ring_.resize(std::max<size_t>(16, ring_.size() * 2));
  }
  if (used_ == ring_.size()) {
    begin_ = (begin_ + 1) % ring_.size();
    --used_;
  }
  // Complete Reads at the front make room before the ring has to grow.
  while (used_ > 8 && ring_[begin_].done()) {
    begin_ = (begin_ + 1) % ring_.size();
    --used_;
  }
  OutstandingRead& read = nth(used_++);
  read.id = id;
  read.first_psn = psn;
  read.memory = memory;
  read.delivered.clear();
  read.at = at;
  read.restarted = read.misfit = false;
  read.earlier = 0;
}

OutstandingRead* Reads::find(uint32_t psn, uint32_t path_mtu) {
  for (size_t i = used_; i-- > 0;) {
    OutstandingRead& read = nth(i);
    const int32_t distance = psn_distance(psn, read.first_psn);
    if (distance >= 0 && static_cast<uint32_t>(distance) < psn_count(read.memory.length, path_mtu)) {
      return &read;
    }
  }
  return nullptr;
}

void Reads::complete(const OutstandingRead& read, const Stamp& at) {
  for (size_t i = used_; i-- > 0;) {
    OutstandingRead& later = nth(i);
    if (&later == &read) {
      return;
    }
    if (captured_before(later.at, at) && later.earlier++ == 0) {
      later.earlier_done = at;
    }
  }
}

bool Reads::overruns(uint32_t psn, uint32_t path_mtu) const {
  if (used_ == 0 || !nth(used_ - 1).misfit) {
    return false;
  }
  const OutstandingRead& newest = nth(used_ - 1);
  const uint32_t end = psn_add(newest.first_psn, psn_count(newest.memory.length, path_mtu));
  const int32_t distance = psn_distance(psn, end);
  return distance >= 0 && distance < kWidestOverrun;
}

}  // namespace steertag::rdma::roce
