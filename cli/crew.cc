#include "crew.h"

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <span>
#include <utility>

#include "report/share.h"

namespace steertag::cli {

namespace {

// Signals are for the thread that reads: its read() has to end.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

// One thread, which has one share. Its output goes into the Batch at hand.
class Crew::Follower final : Records, flow::NumberingLog {
 public:
  Follower(std::span<Batch> batches, size_t place, const Division& division, const ReadingOptions& options,
           const MakeReporter& make_reporter, const report::TextStyle& style)
      : batches_(batches),
        place_(place),
        share_(division.first + static_cast<uint32_t>(place)),
        merged_(division.shares > 1 || division.for_merge),
        part_(&batches[0].parts[place]),
        teller_(
            {options, *this, style, {.now = {}, .numbering = merged_ ? this : nullptr}, division.followers},
            make_reporter),
        thread_([this] { work(); }) {}
  ~Follower() {
    stopped_ = true;
    ready_.release();
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  void start() { ready_.release(); }  // on the next Batch
  void wait() { done_.acquire(); }    // until it is done with one more
  void check() const {
    if (trouble_) {
      std::rethrow_exception(trouble_);
    }
  }
  // No more is followed; then the teller is the caller's.
  void stop() {
    stopped_ = true;
    ready_.release();
    thread_.join();
  }
  Teller& teller() { return teller_; }

 private:
  void work() {
    for (uint64_t next = 0;; ++next) {
      ready_.acquire();
      if (stopped_) {
        return;
      }
      try {
        if (!trouble_) {
          follow(batches_[next % batches_.size()]);
        }
      } catch (...) {
        trouble_ = std::current_exception();
      }
      done_.release();
    }
  }

  void follow(Batch& batch) {
    part_ = &batch.parts[place_];
    teller_.context().style.origin_ns = batch.origin_ns;
    const track::Arrival* arrival = batch.arrivals.data();
    for (const Batch::Passing& frame : batch.frames) {
      if (frame.share == Batch::kNothing) {
        teller_.pass(frame.at);
      } else if (frame.share == share_) {
        teller_.follow(*arrival++);
      } else {
        teller_.pass(*arrival++);
      }
    }
    if (batch.last) {
      teller_.finish();
    }
  }

  // Records
  report::Buffer& buffer() override { return part_->buffer(); }
  void record_done() override {
    if (merged_) {
      part_->done(teller_.now(), report::Piece::Kind::record);
    }
  }
  void heading_done() override {
    if (merged_) {
      part_->done(teller_.now(), report::Piece::Kind::heading);
    }
  }

  // flow::NumberingLog
  void on_promise(flow::Promise promise, track::ConnectionNumber number, uint64_t order) override {
    part_->note(teller_.now(), promise, number, order);
  }

  std::span<Batch> batches_;
  const size_t place_;  // among the followers
  const uint32_t share_;
  const bool merged_;  // with what others say
  report::Part* part_;
  Teller teller_;
  std::counting_semaphore<> ready_{0}, done_{0};
  std::atomic<bool> stopped_ = false;
  std::exception_ptr trouble_;
  std::jthread thread_;
};

Crew::Crew(const Division& division, const ReadingOptions& options, const MakeReporter& make_reporter,
           Teller& main, Output& output)
    : division_(division),
      main_(main),
      output_(output),
      intake_(options.analyzer().intake()),
      merger_(division.followers) {
  for (Batch& batch : batches_) {
    batch.parts.resize(division.followers);
  }
  const SignalsBlocked blocked;
  for (size_t place = 0; place < division.followers; ++place) {
    followers_.push_back(
        std::make_unique<Follower>(batches_, place, division, options, make_reporter, main.context().style));
  }
}

Crew::~Crew() = default;

void Crew::feed(const Frame& frame, const Block& block) {
  Batch& batch = batches_[handed_over_ % kBatches];
  if (batch.arrivals.size() == batch.arrived) {
    batch.arrivals.emplace_back();
  }
  if (batch.blocks.empty() || batch.blocks.back() != block) {
    batch.blocks.push_back(block);
  }
  track::Arrival& arrival = batch.arrivals[batch.arrived];
  uint32_t share = Batch::kNothing;
  if (intake_.take(frame, arrival)) {
    arrival.keep();
    ++batch.arrived;
    share = division_.shares == 1 ? 0 : arrival.share(division_.shares);
  }
  batch.frames.push_back({frame.at, share});
  if (frame.bytes.size() > kLargeFrame) [[unlikely]] {
    catch_up();  // its memory is free before there is another
  } else if (batch.full()) {
    hand_over();
  }
}

// The Batch at hand is whole; another one has to be free.
void Crew::hand_over() {
  batches_[handed_over_ % kBatches].origin_ns = main_.context().style.origin_ns;
  ++handed_over_;
  for (const auto& follower : followers_) {
    follower->start();
  }
  if (handed_over_ - collected_ == kBatches) {
    collect();
  }
}

// Waits for the oldest Batch that is under way, and writes what was said of it.
void Crew::collect() {
  for (const auto& follower : followers_) {
    follower->wait();
  }
  Batch& batch = batches_[collected_++ % kBatches];
  for (const auto& follower : followers_) {
    follower->check();
  }
  if (division_.for_merge) {
    for (report::Piece piece; batch.parts[0].next(piece);) {
      report::put_piece(output_.buffer(), piece);
      output_.record_done();
    }
  } else if (division_.shares == 1) {
    report::put(output_.buffer(), report::view(batch.parts[0].buffer()));
    output_.record_done();
  } else {
    std::vector<report::Pieces*> pieces;
    for (report::Part& part : batch.parts) {
      pieces.push_back(&part);
    }
    merger_.merge(pieces, output_.buffer(), [this] { output_.record_done(); });
  }
  batch.clear();
  output_.check();
}

void Crew::catch_up() {
  if (!batches_[handed_over_ % kBatches].frames.empty()) {
    hand_over();
  }
  while (collected_ != handed_over_) {
    collect();
  }
}

void Crew::finish() {
  batches_[handed_over_ % kBatches].last = true;
  hand_over();
  while (collected_ != handed_over_) {
    collect();
  }
  absorb();
}

void Crew::give_up() {
  absorb();
}

void Crew::absorb() {
  if (std::exchange(absorbed_, true)) {
    return;  // what came after it has failed
  }
  counters_.set(intake_);
  for (size_t place = 0; place < followers_.size(); ++place) {
    Follower& follower = *followers_[place];
    follower.stop();
    counters_.add_share(follower.teller().counters());
    main_.reporter().absorb({follower.teller().reporter(), place, merger_});
  }
}

}  // namespace steertag::cli
