// Crew: several threads at one capture. The one that owns the Crew reads, takes the packets
// out of the frames, and writes; each of the others follows the connections of some of the
// hosts. They get the frames in Batches, as many of which are under way as it takes to keep
// all of them busy where hosts take turns, and what they print of each Batch is put together
// in the order, and with the numbers, of one process. Text that waits for this is a part of
// --memory: a worker that has said as much of a Batch as it may waits until that is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "allotment.h"
#include "host/batch.h"
#include "host/output.h"
#include "host/run_options.h"
#include "host/worker.h"
#include "intake.h"
#include "product/inspector.h"
#include "product/product.h"
#include "report/merger.h"

namespace steertag::host {

// Channels: where the records of a run go, each in every form that was asked for: channel
// 0 is the result, then come the reports beside it that are written as records come. One
// thread writes to them.
class Channels final : public report::Merger::Sink {
 public:
  explicit Channels(const product::Context& context) : all_{&context.records} {
    for (size_t i = 0; i < context.reports.size(); ++i) {
      if (context.settings.reports[i].streams()) {
        all_.push_back(context.reports[i]);
      }
    }
  }

  size_t count() const { return all_.size(); }
  report::Buffer& buffer(size_t channel) override { return all_[channel]->buffer(); }
  void record_done(size_t channel) override { all_[channel]->record_done(); }

 private:
  std::vector<product::Records*> all_;
};

class Crew {
 public:
  // `main` has begun, follows nothing, and has the last word. `output`: its Records.
  Crew(const Division& division, const RunOptions& options, const product::MakeProduct& make_product,
       product::Inspector& main, Output& output);
  ~Crew();  // ends the threads, whatever they are at
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The next frame, whose bytes lie in `block`. Throws what a worker threw.
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
  static constexpr size_t kMostBlocks = 32;  // in the Batches under way

  Batch& filled() { return *ring_[handed_over_ % ring_.size()]; }  // being filled
  Batch& oldest() { return *ring_[collected_ % ring_.size()]; }    // under way
  uint32_t share(const track::Arrival& arrival);
  void hand_over();
  bool oldest_is_done() const;
  void collect();
  void write(Batch& batch);
  void absorb();

  const Division division_;
  const RunOptions options_;  // of each worker, with --memory but for the text
  product::Inspector& main_;
  Output& output_;
  Channels channels_;  // the first of which is the output
  Intake intake_;
  Allotment allotment_;
  report::Merger merger_;
  Counters counters_;
  std::vector<std::unique_ptr<Batch>> spare_;  // the last one used is the first to be used again
  BatchRing ring_;
  uint64_t handed_over_ = 0, collected_ = 0;  // Batches
  size_t blocks_ = 0;                         // of the Batches under way
  bool absorbed_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace steertag::host
