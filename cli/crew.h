// Crew: several threads at one capture. The one that owns the Crew reads, takes the packets
// out of the frames, and writes; each of the others follows the connections of some of the
// hosts. They get the frames in Batches, as many of which are under way as it takes to keep
// all of them busy where hosts take turns, and what they print of each Batch is put together
// in the order, and with the numbers, of one process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "allotment.h"
#include "batch.h"
#include "channels.h"
#include "inspector.h"
#include "intake.h"
#include "output.h"
#include "report/merger.h"
#include "shard.h"

namespace steertag::cli {

class Crew {
 public:
  struct Division {
    uint32_t followers = 1;  // threads besides the one that reads
    std::optional<Shard>
        shard;  // the one follower has this share, and prints it for a merge (report/share.h)
  };
  // `main` has begun, follows nothing, and has the last word. `output`: its Records.
  Crew(const Division& division, const ReadingOptions& options, const MakeReporter& make_reporter,
       Inspector& main, Output& output);
  ~Crew();  // ends the threads, whatever they are at
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The next frame, whose bytes lie in `block`. Throws what a follower threw.
  void feed(const Frame& frame, const Block& block);
  // Without a frame it is this late now.
  void pass(const Stamp& at) { filled().frames.push_back({at, Batch::kNothing, false}); }
  // Writes all that is to be said of the frames so far.
  void catch_up();
  // The capture ends here, but for so many frames that whoever captured has lost. `main` has heard of
  // everything.
  void finish(uint64_t dropped_behind);
  // The same of what has been done so far: nobody goes on.
  void give_up();

  const Counters& counters() const { return counters_; }  // after one of the two

 private:
  static constexpr size_t kMostUnderWay = 32;  // Batches ...
  static constexpr size_t kMostBlocks = 32;    // ... and Blocks in them
  using Ring = std::array<std::unique_ptr<Batch>, kMostUnderWay>;
  class Follower;

  Batch& filled() { return *ring_[handed_over_ % kMostUnderWay]; }  // being filled
  Batch& oldest() { return *ring_[collected_ % kMostUnderWay]; }    // under way
  uint32_t share(const track::Arrival& arrival);
  void hand_over();
  bool oldest_is_done() const;
  void collect();
  void write(Batch& batch);
  void absorb();

  const Division division_;
  Inspector& main_;
  Output& output_;
  Channels channels_;  // the first of which is the output
  Intake intake_;
  Allotment allotment_;
  report::Merger merger_;
  Counters counters_;
  std::vector<std::unique_ptr<Batch>> spare_;  // the last one used is the first to be used again
  Ring ring_;
  uint64_t handed_over_ = 0, collected_ = 0;  // Batches
  size_t blocks_ = 0;                         // of the Batches under way
  bool absorbed_ = false;
  std::vector<std::unique_ptr<Follower>> followers_;
};

}  // namespace steertag::cli
