// Crew: several threads at one capture. The one that owns the Crew reads and takes the
// packets out of the frames; each of the others follows the connections of a share of the
// hosts. They get the frames in Batches, a few of which are under way at a time, and what
// they print of each is put together in the order, and with the numbers, of one process.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "batch.h"
#include "intake.h"
#include "output.h"
#include "report/merger.h"
#include "teller.h"

namespace steertag::cli {

class Crew {
 public:
  // Of so many shares of the connections, which are followed: from `first`, from 0, by so many threads.
  struct Division {
    uint32_t shares = 1, first = 0, followers = 1;
    bool for_merge = false;  // what is printed is a share's (report/share.h); one follower
  };
  // `main` has begun, follows nothing, and has the last word.
  Crew(const Division& division, const ReadingOptions& options, const MakeReporter& make_reporter,
       Teller& main, Output& output);
  ~Crew();  // ends the threads, whatever they are at
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The next frame, whose bytes lie in `block`. Throws what a follower threw.
  void feed(const Frame& frame, const Block& block);
  // Writes all that is to be said of the frames so far.
  void catch_up();
  // The capture ends here. `main` has heard of everything.
  void finish();
  // The same of what has been done so far: nobody goes on.
  void give_up();

  const Counters& counters() const { return counters_; }  // after one of the two

 private:
  static constexpr size_t kBatches = 3;
  static constexpr size_t kLargeFrame = 1 << 20;  // bytes; any network's are far below
  class Follower;

  void hand_over();
  void collect();
  void absorb();

  const Division division_;
  Teller& main_;
  Output& output_;
  Intake intake_;
  report::Merger merger_;
  Counters counters_;
  std::array<Batch, kBatches> batches_;
  uint64_t handed_over_ = 0, collected_ = 0;
  bool absorbed_ = false;
  std::vector<std::unique_ptr<Follower>> followers_;
};

}  // namespace steertag::cli
