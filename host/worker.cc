#include "host/worker.h"

#include <array>
#include <span>

#include "host/out_of_memory.h"
#include "track/arrival.h"

namespace steertag::host {

Worker::Worker(const BatchRing& batches, size_t place, const Division& division, const RunOptions& options,
               size_t most_text, const product::MakeProduct& make_product, const report::TextStyle& style)
    : batches_(batches),
      most_text_(most_text),
      place_(place),
      share_(division.shard ? division.shard->place - 1 : static_cast<uint32_t>(place)),
      part_(&batches[0]->parts[place]),
      inspector_({.settings = options,
                  .records = make_channels(options),
                  .style = style,
                  .course = {.now = {}, .numbering = division.merged() ? this : nullptr},
                  .shares = division.workers,
                  .reports = reports(options)},
                 make_product),
      thread_([this] { work(); }) {}

product::Records& Worker::make_channels(const RunOptions& options) {
  channels_.emplace_back(*this, 0);
  for (const RunOptions::Report& report : options.reports) {
    if (report.streams()) {
      channels_.emplace_back(*this, channels_.size());
    }
  }
  return channels_.front();
}

// As Context has them.
std::vector<product::Records*> Worker::reports(const RunOptions& options) {
  std::vector<product::Records*> all;
  size_t channel = 0;
  for (const RunOptions::Report& report : options.reports) {
    all.push_back(report.streams() ? &channels_[++channel] : nullptr);
  }
  return all;
}

void Worker::wait(uint64_t batches) const {
  for (uint64_t progress = progress_; progress < 2 * batches - 1; progress = progress_) {
    progress_.wait(progress);
  }
  check_memory();
  if (trouble_) {
    std::rethrow_exception(trouble_);
  }
}

void Worker::go_on() {
  part_->clear();
  set(progress_ - 1);
}

void Worker::stop() {
  if (!thread_.joinable()) {
    return;
  }
  stopped_ = true;
  ready_.release();
  for (uint64_t progress = progress_; progress != kAll; progress = progress_) {
    if (progress % 2 != 0) {
      go_on();
    } else {
      progress_.wait(progress);
    }
  }
  check_memory();
  thread_.join();
}

void Worker::work() {
  on_out_of_memory([](void* self) { static_cast<Worker*>(self)->starve(); }, this);
  for (uint64_t next = 0;; ++next) {
    ready_.acquire();
    if (stopped_) {
      return end();
    }
    try {
      if (!trouble_) {
        follow(*batches_[next % batches_.size()]);
      }
    } catch (...) {
      trouble_ = std::current_exception();
    }
    set(progress_ + 2);
  }
}

void Worker::set(uint64_t progress) {
  progress_ = progress;
  progress_.notify_one();
}

// There is no memory for what it is at: the thread that reads, which has to wait for it next, learns so.
void Worker::starve() {
  starved_ = true;
  end();
}

void Worker::check_memory() const {
  if (starved_) {
    out_of_memory();
  }
}

void Worker::follow(Batch& batch) {
  part_ = &batch.parts[place_];
  Analyzer& analyzer = inspector_.analyzer();
  inspector_.context().style.origin_ns = batch.origin_ns;
  std::array<TakenFrame, Analyzer::kTogether> taken;
  size_t count = 0;
  const track::Arrival* arrival = batch.arrivals.data();
  for (const Batch::Passing& frame : batch.frames) {
    taken[count++] = {frame.at, frame.share != Batch::kNothing ? arrival++ : nullptr, frame.share == share_,
                      frame.dropped};
    if (count == taken.size()) {
      analyzer.feed(taken);
      count = 0;
    }
  }
  analyzer.feed(std::span(taken).first(count));
  if (batch.dropped_behind != 0) {
    analyzer.note_dropped(batch.dropped_behind);
  }
  if (batch.last) {
    inspector_.finish();
  }
}

// What was appended to the buffer of that channel is whole.
void Worker::said(report::Piece::Kind kind, size_t channel) {
  part_->done(inspector_.now(), kind, channel);
  if (part_->full(most_text_)) [[unlikely]] {
    make_room();
  }
}

// Waits until what there is has been taken.
void Worker::make_room() {
  const uint64_t full = progress_ + 1;
  set(full);
  while (progress_ == full) {
    progress_.wait(full);
  }
}

bool Said::next(report::Piece& piece) {
  while (!begun_ || !part_.next(piece)) {
    if (!wait()) {
      return false;
    }
  }
  return true;
}

// For the first of it, or for more behind what was taken. False: that was all.
bool Said::wait() {
  if (begun_) {
    if (worker_.is_done(batches_)) {
      return false;
    }
    worker_.go_on();
  }
  begun_ = true;
  worker_.wait(batches_);
  return true;
}

}  // namespace steertag::host
