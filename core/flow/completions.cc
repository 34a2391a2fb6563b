#include "flow/completions.h"

#include <algorithm>
#include <iterator>

namespace steertag::flow {

namespace {

template <typename List>
auto newest(List& answered, uint32_t xid) {
  const auto found = std::find_if(answered.rbegin(), answered.rend(),
                                  [&](const Completions::Answered& one) { return one.xid == xid; });
  return found == answered.rend() ? nullptr : &*found;
}

}  // namespace

const Completions::Answered* Completions::find(uint32_t xid) const {
  return newest(answered_, xid);
}

bool Completions::answered_by_xid(uint32_t xid) const {
  const Answered* found = find(xid);
  return found != nullptr && found->by_xid && !found->completion.done;
}

void Completions::note(const Answered& answered) {
  answered_.push_back(answered);
  if (answered_.size() > kMaxKept) {
    answered_.pop_front();
  }
}

void Completions::note_further(uint32_t xid) {
  Answered* found = newest(answered_, xid);
  if (found != nullptr && found->owed != 0) {
    --found->owed;
  }
}

void Completions::forget(uint32_t xid) {
  const auto found =
      std::find_if(answered_.rbegin(), answered_.rend(), [&](const Answered& one) { return one.xid == xid; });
  if (found != answered_.rend()) {
    answered_.erase(std::next(found).base());
  }
}

void Completions::note_reads(uint32_t xid, const Stamp& reply) {
  owed_dones_.push_back({xid, reply});
  if (owed_dones_.size() > kMaxOwedDones) {
    owed_dones_.pop_front();
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
  if (Answered* found = newest(answered_, xid)) {
    found->completion.done = found->completion.done.value_or(at);
  } else if (!due && stray_dones_.size() < kMaxStrayDones) {
    stray_dones_.push_back({xid, at});
  }
}

}  // namespace steertag::flow
