#include "stats/attempts.h"

namespace steertag::stats {

void Attempts::add(Rpc rpc) {
  const auto place = [&](const Stamp& call) { return CallPlace{call.number, call.file, rpc.xid}; };
  if (rpc.timing.retry_of && !take_off(place(rpc.timing.retry_of->call))) {
    note(place(rpc.timing.retry_of->call), std::nullopt);
  }
  const CallPlace own = place(rpc.began);
  if (rpc.called && take_off(own)) {
    return;
  }
  if (!rpc.called || rpc.timing.delivered_ns) {
    return count_(rpc);
  }
  note(own, std::move(rpc));
}

void Attempts::note(const CallPlace& place, std::optional<Rpc> held) {
  if (!ages_.try_emplace(place, newest_).second) {
    return;
  }
  noted_.emplace(newest_++, Noted{place, std::move(held)});
  if (noted_.size() > kMost) {
    const Noted oldest = std::move(noted_.begin()->second);
    take_off(oldest.place);
    if (oldest.held) {
      count_(*oldest.held);
    }
  }
}

bool Attempts::take_off(const CallPlace& place) {
  const auto found = ages_.find(place);
  if (found == ages_.end()) {
    return false;
  }
  noted_.erase(found->second);
  ages_.erase(found);
  return true;
}

void Attempts::finish() {
  for (const auto& [age, noted] : noted_) {
    if (noted.held) {
      count_(*noted.held);
    }
  }
  noted_.clear();
  ages_.clear();
}

}  // namespace steertag::stats
