// Waiting: when the receiver of one direction waited for what was late, and when its sender waited for the
// receiver to have room (RNR NAK, a TCP window of zero). The times don't overlap: a wait begins only where
// the one before it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace steertag::timing {

// A part of a time.
struct Waits {
  int64_t lost_ns = 0;     // the receiver waited for what was lost
  int64_t refused_ns = 0;  // it was not ready itself
};

class Waiting {
 public:
  static constexpr size_t kMaxEpisodes = 64;  // that are remembered
  static constexpr int64_t kAtOnceNs = 1'000'000;
  static constexpr int64_t kSoonShare = 10;  // or within one in so many parts of how long there was no room

  // Something late came at `at_ns`; it is waited for since then, unless for something else.
  void begin(int64_t since_ns, int64_t at_ns);
  // The wait that has begun goes on, at least until then, or a new one where there was no room meanwhile. How
  // long it is by now; 0 where it is for room.
  int64_t go_on(int64_t at_ns);
  // The receiver had no room for something: the wait that goes on at that time is for that.
  void refused(int64_t at_ns) { refused_ns_ = at_ns; }
  // The receiver has no room for anything, or has some again.
  void on_room(bool room, int64_t at_ns);
  // Nobody waited for what was late from one time to the other.
  void take_back(int64_t from_ns, int64_t to_ns);

  // How much of the time from `from_ns` to `to_ns` went by so.
  Waits waits(int64_t from_ns, int64_t to_ns) const;
  // What was sent at `to_ns` had waited for room, since it came as soon as there was some: how much of the
  // time since `from_ns`. 0: it had not.
  int64_t shut_ns(int64_t from_ns, int64_t to_ns) const;

  size_t bytes() const { return episodes_.capacity() * sizeof(Episode); }  // of the heap

 private:
  struct Episode {
    int64_t begin_ns = 0, first_ns = 0, end_ns = 0;  // of what was late, the first and the last
    bool refused = false;
    bool shut = false;  // there was no room, and nothing was late
  };

  std::vector<Episode> episodes_;
  std::optional<int64_t> refused_ns_, full_ns_;  // the latest; since when there is no room
};

}  // namespace steertag::timing
