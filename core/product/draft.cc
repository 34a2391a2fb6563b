#include "product/draft.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "extract/proof.h"
#include "extract/reduce.h"

namespace steertag::product {
namespace {

// How much is held, so that what it can do without is found.
constexpr size_t kMostHeldFrames = 16384, kMostHeldBytes = 64 << 20;
// Audits of parts of it, and in all of these frames, and what they hold that takes as long.
constexpr size_t kMostTests = 400, kMostTested = 300'000;

}  // namespace

// An audit of frames as they will stand in the extract.
class Draft::Trial {
 public:
  explicit Trial(const Asked& asked) : proof_(asked.chosen, asked.analyzer, asked.rules) {}
  void feed(Frame frame, uint32_t snaplen) {
    const Stamp original = frame.at;
    const auto tap = taps_.try_emplace({original.tap, frame.link_type, snaplen}, taps_.size()).first;
    frame.at = {.number = ++frames_,
                .file = 0,
                .tap = Stamp::tap_of(0, static_cast<uint32_t>(tap->second)),
                .time_ns = original.time_ns};
    proof_.feed(frame, original);
  }
  bool finish() { return proof_.finish(); }
  bool same_times() const { return proof_.same_times(); }
  uint64_t work() const { return frames_ + proof_.work(); }

 private:
  extract::Proof proof_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, size_t> taps_;
  uint64_t frames_ = 0;
};

bool Draft::take(extract::Level level) {
  held_.clear();
  size_t bytes = 0, frames = 0;
  Trial trial(asked_);
  source_.each_frame([&](const Frame& frame, uint32_t snaplen) {
    const extract::Level own = surroundings_.level(frame.at);
    if (own > level) {
      return;
    }
    trial.feed(frame, snaplen);
    bytes += frame.bytes.size();
    if (++frames <= kMostHeldFrames && bytes <= kMostHeldBytes) {
      Held& held = held_.emplace_back(Held{frame, {frame.bytes.begin(), frame.bytes.end()}, snaplen, own});
      held.frame.bytes = held.bytes;
    }
  });
  if (held_.size() != frames) {
    held_.clear();
  }
  const bool shown = trial.finish();
  work_ = trial.work();
  timed_ = trial.same_times();
  // What is near is added for a time that does not show, but not a whole connection.
  return shown && (timed_ || level != extract::kItself);
}

void Draft::leave_out() {
  std::vector<size_t> places;  // in held_, of those that may go
  for (size_t i = 0; i < held_.size(); ++i) {
    if (held_[i].level != extract::kItself) {
      places.push_back(i);
    }
  }
  if (places.empty()) {
    return;
  }
  const size_t tests = std::min(kMostTests, kMostTested / work_);
  const std::vector<bool> kept = extract::reduce(places.size(), tests, [&](const std::vector<bool>& trial) {
    return !source_.stopped() && shows(places, trial);
  });
  std::vector<bool> stays(held_.size(), true);
  for (size_t i = 0; i < places.size(); ++i) {
    stays[places[i]] = kept[i];
  }
  std::vector<Held> left;
  for (size_t i = 0; i < held_.size(); ++i) {
    if (stays[i]) {
      left.push_back(std::move(held_[i]));
    }
  }
  held_ = std::move(left);
}

// Whether what was chosen shows without those at `places` that are not kept.
bool Draft::shows(const std::vector<size_t>& places, const std::vector<bool>& kept) const {
  Trial trial(asked_);
  size_t next = 0;
  for (size_t i = 0; i < held_.size(); ++i) {
    const bool may_go = next < places.size() && places[next] == i;
    if (!may_go || kept[next]) {
      trial.feed(held_[i].frame, held_[i].snaplen);
    }
    next += may_go ? 1 : 0;
  }
  return trial.finish() && (!timed_ || trial.same_times());
}

}  // namespace steertag::product
