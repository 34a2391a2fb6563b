#include "history/completions.h"

#include <algorithm>

namespace steertag::history {

const Completions::Answered* Completions::find(uint32_t xid) const {
  return answered_.find([&](const Answered& one) { return one.xid == xid && !one.forgotten; });
}

Completions::Answered* Completions::newest(uint32_t xid) {
  return answered_.find([&](const Answered& one) { return one.xid == xid && !one.forgotten; });
}

bool Completions::answered_by_xid(uint32_t xid) const {
  const Answered* found = find(xid);
  return found != nullptr && found->by_xid && !found->completion.done;
}

void Completions::note(const Answered& answered) {
  answered_.add(answered, [](const Answered&) { return false; });
}

bool Completions::note_further(uint32_t xid) {
  Answered* found = newest(xid);
  if (found == nullptr) {
    return false;
  }
  if (found->owed != 0) {
    --found->owed;
    return false;
  }
  found->completion.repeated = true;
  return true;
}

void Completions::forget(uint32_t xid) {
  if (Answered* found = newest(xid)) {
    found->forgotten = true;
  }
}

void Completions::note_reads(uint32_t xid, const Stamp& reply) {
  owed_dones_.push_back({xid, reply});
  if (owed_dones_.size() > kMaxOwedDones) {
    owed_dones_.erase(owed_dones_.begin());
  }
}

// One for each Reply with a Read list.
void Completions::note_done(uint32_t xid, const Stamp& at) {
  const auto owed = std::find_if(owed_dones_.begin(), owed_dones_.end(),
                                 [&](const OwedDone& one) { return one.xid == xid; });
  const bool due = owed != owed_dones_.end();
  if (due) {
    owed_dones_.erase(owed);
  }
  if (Answered* found = newest(xid)) {
    found->completion.done = found->completion.done.value_or(at);
  } else if (!due && stray_dones_.size() < kMaxStrayDones) {
    stray_dones_.push_back({xid, at});
  }
}

}  // namespace steertag::history
