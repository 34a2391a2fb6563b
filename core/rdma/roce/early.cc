#include "rdma/roce/early.h"

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

std::unique_ptr<Held> Early::next(const Stamp& now) {
  if (queue_.empty()) {
    return nullptr;
  }
  const Held& first = queue_.front();
  if (before_its_cause(first.packet)) {
    if (queue_.size() < kPatiencePackets && now.time_ns - first.at.time_ns < kPatienceNs) {
      return nullptr;
    }
    causes_.give_up(psn_add(last_accepted(first.packet), 1), first.at, first.at);
  }
  return queue_.pop();
}

}  // namespace steertag::rdma::roce
