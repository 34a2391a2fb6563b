// Worker: a thread of a Crew, which follows the connections of some of the hosts. What it has to say
// of a Batch goes into its Part of it, as much at a time as it may: then it waits until that was taken.
//
// Said: what it says of one Batch, for the thread that writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <semaphore>
#include <thread>
#include <vector>

#include "host/batch.h"
#include "host/run_options.h"
#include "host/shard.h"
#include "product/inspector.h"
#include "product/product.h"
#include "product/records.h"
#include "report/buffer.h"
#include "report/part.h"

namespace steertag::host {

// How connections are divided among the threads of a Crew.
struct Division {
  uint32_t workers = 1;        // threads besides the one that reads
  std::optional<Shard> shard;  // the one worker has this share, and prints it for a merge (report/share.h)
  // What each has to say is merged.
  bool merged() const { return workers > 1 || shard; }
};

class Worker final : flow::NumberingLog {
 public:
  // `place`: among the workers. `most_text`: bytes of what it has to say of a Batch. Throws
  // std::system_error where there is no thread.
  Worker(const BatchRing& batches, size_t place, const Division& division, const RunOptions& options,
         size_t most_text, const product::MakeProduct& make_product, const report::TextStyle& style);
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start() { ready_.release(); }  // on the next Batch
  // Done with so many, from the first on.
  bool is_done(uint64_t batches) const { return progress_ >= 2 * batches; }
  // Waits until what it says of the last of so many Batches may be taken: it is done with it, or has no room
  // for more. Throws what it threw.
  void wait(uint64_t batches) const;
  // What it had no more room for was taken: it says more.
  void go_on();
  // No more is followed; then the inspector is the caller's.
  void stop();
  product::Inspector& inspector() { return inspector_; }

 private:
  static constexpr uint64_t kAll = UINT64_MAX - 1;  // progress: it does no more

  // What is said in one form: Channels.
  class Channel final : public product::Records {
   public:
    Channel(Worker& worker, size_t number) : worker_(worker), number_(number) {}
    report::Buffer& buffer() override { return worker_.part_->buffer(number_); }
    void record_done() override { worker_.said(report::Piece::Kind::record, number_); }
    void heading_done() override { worker_.said(report::Piece::Kind::heading, number_); }
    void aside_done() override { worker_.said(report::Piece::Kind::aside, number_); }

   private:
    Worker& worker_;
    const size_t number_;
  };
  product::Records& make_channels(const RunOptions& options);
  std::vector<product::Records*> reports(const RunOptions& options);

  void work();
  void follow(Batch& batch);
  void said(report::Piece::Kind kind, size_t channel);
  void make_room();
  void set(uint64_t progress);
  void end() { set(kAll); }
  void starve();
  void check_memory() const;
  // flow::NumberingLog
  void on_promise(flow::Promise promise, track::ConnectionNumber number, uint64_t order) override {
    part_->note(inspector_.now(), promise, number, order);
  }

  const BatchRing& batches_;
  const size_t most_text_;
  const size_t place_;
  const uint32_t share_;
  report::Part* part_;  // of the Batch at hand
  std::deque<Channel> channels_;
  product::Inspector inspector_;
  std::counting_semaphore<> ready_{0};
  // Twice the Batches that it is done with, and one more where it waits until part_ has been taken.
  std::atomic<uint64_t> progress_ = 0;
  std::atomic<bool> stopped_ = false, starved_ = false;
  std::exception_ptr trouble_;
  std::jthread thread_;
};

class Said final : public report::Pieces {
 public:
  // Of the last of so many Batches, the oldest that is under way.
  Said(Worker& worker, Batch& batch, size_t place, uint64_t batches)
      : worker_(worker), part_(batch.parts[place]), batches_(batches) {}

  // Waits for it.
  bool next(report::Piece& piece) override;

 private:
  bool wait();

  Worker& worker_;
  report::Part& part_;
  const uint64_t batches_;
  bool begun_ = false;
};

}  // namespace steertag::host
