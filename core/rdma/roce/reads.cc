#include "rdma/roce/reads.h"

#include <algorithm>
#include <utility>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

constexpr int32_t kWidestOverrun = 1 << 12;  // PSNs
constexpr size_t kFew = 8;                   // complete Reads that are kept in any case

}  // namespace

void Reads::forget_oldest() {
  begin_ = place(1);
  --used_;
}

void Reads::make_room() {
  if (used_ == ring_.size() && ring_.size() < kMaxReads) {
    // Straighten the ring before it grows, so that begin_ + i stays the order of PSNs.
    std::rotate(ring_.begin(), ring_.begin() + static_cast<ptrdiff_t>(begin_), ring_.end());
    begin_ = 0;
    ring_.resize(std::max<size_t>(2, ring_.size() * 2));
  }
  if (used_ == ring_.size()) {
    forget_oldest();
  }
  // Complete Reads at the front make room before the ring has to grow.
  while (used_ > kFew && nth(0).done()) {
    forget_oldest();
  }
}

void Reads::add(uint64_t id, uint32_t psn, const Memory& memory, const Stamp& at) {
  make_room();
  OutstandingRead& read = nth(used_++);
  read.id = id;
  read.first_psn = psn;
  read.restarted = read.misfit = false;
  read.memory = memory;
  read.delivered.clear();
  read.at = at;
  read.turn = depth_.request();
  // One that a merged tap shows late stands before others.
  for (size_t i = used_ - 1; i > 0 && psn_distance(nth(i - 1).first_psn, psn) > 0; --i) {
    std::swap(nth(i - 1), nth(i));
  }
}

OutstandingRead* Reads::find(uint32_t psn, uint32_t path_mtu) {
  size_t begin = 0;
  for (size_t end = used_; begin < end;) {  // to the first behind `psn`; mostly the newest is meant
    const size_t middle = end == used_ ? end - 1 : begin + (end - begin) / 2;
    if (psn_distance(psn, nth(middle).first_psn) >= 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == 0) {
    return nullptr;
  }
  OutstandingRead& read = nth(begin - 1);
  const auto distance = static_cast<uint32_t>(psn_distance(psn, read.first_psn));
  return distance < psn_count(read.memory.length, path_mtu) ? &read : nullptr;
}

std::optional<ReadDepth::Peak> Reads::complete(const OutstandingRead& read, const Stamp& at) {
  const std::optional<ReadDepth::Peak> peak = depth_.peak(read.turn, read.at);
  depth_.count(read.turn, nth(0).turn, at);
  return peak;
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

size_t Reads::bytes() const {
  size_t bytes = ring_.capacity() * sizeof(OutstandingRead);
  for (const OutstandingRead& read : ring_) {
    bytes += read.delivered.bytes();
  }
  return bytes + depth_.bytes();
}

}  // namespace steertag::rdma::roce
