#include "timing/acceptance.h"

#include <algorithm>

namespace steertag::timing {
namespace {

ptrdiff_t distance(size_t count) {
  return static_cast<ptrdiff_t>(count);
}

}  // namespace

void Acceptance::fresh(const Stamp& at) {
  if (running_ && at == latest_) {
    return;  // the late piece itself
  }
  running_ = false;
  fresh_ns_ = at.time_ns;
}

bool Acceptance::note(const rdma::Late& late) {
  if (late.begin < accepted_) {
    return false;
  }
  while (late_.size() > first_ && late_.back().begin >= late.begin) {
    late_.pop_back();
  }
  const bool back = late_.size() > first_ && late_.back().at.time_ns > late.at.time_ns;
  late_.push_back({late.begin, back ? late_.back().at : late.at});
  if (late_.size() - first_ > kMaxLate) {
    forgotten_ = late_[++first_].begin;
    if (first_ == kMaxLate) {  // half of all: a constant for each
      late_.erase(late_.begin(), late_.begin() + distance(first_));
      first_ = 0;
    }
  }
  return true;
}

void Acceptance::late(const rdma::Late& late) {
  if (!note(late)) {
    return;
  }
  const int64_t at_ns = late.at.time_ns;
  if (!running_) {
    const int64_t since_ns = late.since ? late.since->time_ns : fresh_ns_.value_or(at_ns);
    waiting_.begin(since_ns, at_ns);
    run_ = late.at;
    begin_ = late.begin;
    since_ = late.since.value_or(late.at);
    repeated_ = 0;
  }
  running_ = true;
  latest_ = late.at;
  note_outage(late, waiting_.go_on(at_ns));
}

void Acceptance::note_outage(const rdma::Late& late, int64_t lasts_ns) {
  if (!late.again || late.begin > begin_) {
    return;
  }
  begin_ = late.begin;
  ++repeated_;
  if (lasts_ns > outage_.length_ns) {
    outage_ = {since_, lasts_ns, repeated_};
  }
}

void Acceptance::received_twice(uint64_t begin, uint64_t end) {
  const auto from = std::partition_point(late_.begin() + distance(first_), late_.end(),
                                         [&](const Piece& piece) { return piece.begin < begin; });
  const auto to =
      std::partition_point(from, late_.end(), [&](const Piece& piece) { return piece.begin < end; });
  if (from == to) {
    return;
  }
  const int64_t first_ns = from->at.time_ns, last_ns = std::prev(to)->at.time_ns;
  waiting_.take_back(first_ns, last_ns);
  running_ = false;
  late_.erase(from, to);
}

std::optional<Stamp> Acceptance::complete(uint64_t end, const Stamp& seen, int64_t known_ns) const {
  if (end <= forgotten_) {
    return std::nullopt;
  }
  const auto first = late_.begin() + distance(first_);
  const auto piece = std::partition_point(
      first, late_.end(), [&](const Piece& one) { return one.begin < end && one.at.time_ns <= known_ns; });
  return piece == first || std::prev(piece)->at.time_ns <= seen.time_ns ? seen : std::prev(piece)->at;
}

std::optional<int64_t> Acceptance::complete_ns(uint64_t end, int64_t seen_ns, int64_t known_ns) const {
  const std::optional<Stamp> with = complete(end, {.time_ns = seen_ns}, known_ns);
  return with ? std::optional(with->time_ns) : std::nullopt;
}

bool Acceptance::was_late(const Stamp& at) const {
  return running_ && at.clock() == run_.clock() && !captured_before(at, run_) &&
         !captured_before(latest_, at);
}

}  // namespace steertag::timing
