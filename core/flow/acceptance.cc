#include "flow/acceptance.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// Makes room for one more.
template <typename T>
void trim(std::vector<T>& list, size_t most) {
  if (list.size() >= most) {
    list.erase(list.begin(), list.begin() + static_cast<ptrdiff_t>(list.size() - most + 1));
  }
}

}  // namespace

void Acceptance::fresh(const Stamp& at) {
  if (running_ && at == latest_) {
    return;  // the late piece itself
  }
  running_ = false;
  fresh_ns_ = at.time_ns;
}

void Acceptance::late(const rdma::Late& late) {
  if (late.begin < accepted_) {
    return;
  }
  while (!late_.empty() && late_.back().begin >= late.begin) {
    late_.pop_back();
  }
  trim(late_, kMaxLate);
  const int64_t at_ns = late.at.time_ns;
  late_.push_back({late.begin, std::max(at_ns, late_.empty() ? INT64_MIN : late_.back().at_ns)});
  if (!running_) {
    const int64_t since_ns = late.since ? late.since->time_ns : fresh_ns_.value_or(at_ns);
    const int64_t before_ns = episodes_.empty() ? INT64_MIN : episodes_.back().end_ns;
    trim(episodes_, kMaxEpisodes);
    episodes_.push_back({std::max(since_ns, before_ns), at_ns, false});
    run_ = late.at;
  }
  running_ = true;
  latest_ = late.at;
  Episode& episode = episodes_.back();
  episode.end_ns = std::max(episode.end_ns, at_ns);
  episode.refused |= refused_ns_ && *refused_ns_ >= episode.begin_ns;
}

void Acceptance::received_twice(uint64_t begin, uint64_t end) {
  std::erase_if(late_, [&](const Piece& piece) { return begin <= piece.begin && piece.begin < end; });
}

void Acceptance::accept(uint64_t position) {
  accepted_ = std::max(accepted_, position);
  const auto waits =
      std::find_if(late_.begin(), late_.end(), [&](const Piece& piece) { return piece.begin >= accepted_; });
  late_.erase(late_.begin(), waits);
}

int64_t Acceptance::complete_ns(uint64_t end, int64_t seen_ns, int64_t known_ns) const {
  auto piece = std::partition_point(
      late_.begin(), late_.end(), [&](const Piece& one) { return one.begin < end && one.at_ns <= known_ns; });
  return piece == late_.begin() ? seen_ns : std::max(seen_ns, std::prev(piece)->at_ns);
}

bool Acceptance::was_late(const Stamp& at) const {
  return running_ && at.file == run_.file && at.number >= run_.number && at.number <= latest_.number;
}

Acceptance::Waits Acceptance::waits(int64_t from_ns, int64_t to_ns) const {
  Waits sum;
  for (auto episode = episodes_.rbegin(); episode != episodes_.rend() && episode->end_ns > from_ns;
       ++episode) {
    const int64_t overlap = std::min(to_ns, episode->end_ns) - std::max(from_ns, episode->begin_ns);
    (episode->refused ? sum.refused_ns : sum.lost_ns) += std::max<int64_t>(overlap, 0);
  }
  return sum;
}

}  // namespace steertag::flow
