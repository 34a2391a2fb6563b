#include "timing/waiting.h"

#include <algorithm>

namespace steertag::timing {

void Waiting::begin(int64_t since_ns, int64_t at_ns) {
  const int64_t before_ns = episodes_.empty() ? INT64_MIN : episodes_.back().end_ns;
  if (episodes_.size() == kMaxEpisodes) {
    episodes_.erase(episodes_.begin());
  }
  episodes_.push_back({std::max(since_ns, before_ns), at_ns, at_ns, false, false});
}

int64_t Waiting::go_on(int64_t at_ns) {
  if (episodes_.back().shut) {
    begin(episodes_.back().end_ns, at_ns);
  }
  Episode& episode = episodes_.back();
  episode.end_ns = std::max(episode.end_ns, at_ns);
  episode.refused |= refused_ns_ && *refused_ns_ >= episode.begin_ns;
  return episode.refused ? 0 : episode.end_ns - episode.begin_ns;
}

void Waiting::on_room(bool room, int64_t at_ns) {
  if (!room) {
    full_ns_ = at_ns;
  } else if (full_ns_) {
    begin(*full_ns_, at_ns);
    episodes_.back().refused = episodes_.back().shut = true;
    full_ns_.reset();
  }
}

void Waiting::take_back(int64_t from_ns, int64_t to_ns) {
  std::erase_if(episodes_, [&](const Episode& one) {
    return !one.shut && one.first_ns >= from_ns && one.end_ns <= to_ns;
  });
}

Waits Waiting::waits(int64_t from_ns, int64_t to_ns) const {
  Waits sum;
  for (auto episode = episodes_.rbegin(); episode != episodes_.rend() && episode->end_ns > from_ns;
       ++episode) {
    const int64_t overlap = std::min(to_ns, episode->end_ns) - std::max(from_ns, episode->begin_ns);
    (episode->refused ? sum.refused_ns : sum.lost_ns) += std::max<int64_t>(overlap, 0);
  }
  return sum;
}

int64_t Waiting::shut_ns(int64_t from_ns, int64_t to_ns) const {
  for (auto episode = episodes_.rbegin(); episode != episodes_.rend(); ++episode) {
    const int64_t soon_ns = std::max(kAtOnceNs, (episode->end_ns - episode->begin_ns) / kSoonShare);
    if (episode->shut && episode->end_ns <= to_ns && to_ns - episode->end_ns < soon_ns) {
      return std::max<int64_t>(episode->end_ns - std::max(from_ns, episode->begin_ns), 0);
    }
  }
  return 0;
}

}  // namespace steertag::timing
