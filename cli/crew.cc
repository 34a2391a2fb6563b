#include "crew.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "failure.h"
#include "interrupt.h"
#include "out_of_memory.h"
#include "report/share.h"

namespace steertag::cli {

// One thread, which follows some of the hosts. Its output goes into the Batch at hand.
class Crew::Follower final : flow::NumberingLog {
 public:
  Follower(const Ring& batches, size_t place, const Division& division, const ReadingOptions& options,
           const MakeReporter& make_reporter, const report::TextStyle& style)
      : batches_(batches),
        place_(place),
        share_(division.shard ? division.shard->place - 1 : static_cast<uint32_t>(place)),
        merged_(division.followers > 1 || division.shard),
        part_(&batches[0]->parts[place]),
        inspector_({.options = options,
                    .records = make_channels(options),
                    .style = style,
                    .course = {.now = {}, .numbering = merged_ ? this : nullptr},
                    .shares = division.followers,
                    .reports = reports(options)},
                   make_reporter),
        thread_([this] { work(); }) {}
  ~Follower() { stop(); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  void start() { ready_.release(); }                                 // on the next Batch
  bool is_done(uint64_t batches) const { return done_ >= batches; }  // with so many, from the first on
  void wait(uint64_t batches) const {                                // until it is
    for (uint64_t done = done_; done < batches; done = done_) {
      done_.wait(done);
    }
  }
  void check() const {
    check_memory();
    if (trouble_) {
      std::rethrow_exception(trouble_);
    }
  }
  // No more is followed; then the inspector is the caller's.
  void stop() {
    if (thread_.joinable()) {
      stopped_ = true;
      ready_.release();
      wait(kAll);
      check_memory();
      thread_.join();
    }
  }
  Inspector& inspector() { return inspector_; }

 private:
  static constexpr uint64_t kAll = UINT64_MAX;  // Batches: it does no more

  void work() {
    on_out_of_memory([](void* self) { static_cast<Follower*>(self)->starve(); }, this);
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
      ++done_;
      done_.notify_one();
    }
  }

  void end() {
    done_ = kAll;
    done_.notify_one();
  }
  // There is no memory for what it is at: the thread that reads, which has to wait for it next, learns so.
  void starve() {
    starved_ = true;
    end();
  }
  void check_memory() const {
    if (starved_) {
      out_of_memory();
    }
  }

  void follow(Batch& batch) {
    part_ = &batch.parts[place_];
    inspector_.context().style.origin_ns = batch.origin_ns;
    const track::Arrival* arrival = batch.arrivals.data();
    const track::Arrival* const end = arrival + batch.arrived;
    const track::Arrival* expected = arrival;
    for (const Batch::Passing& frame : batch.frames) {
      if (arrival == expected && arrival != end) {
        expected += std::min<ptrdiff_t>(Analyzer::kMostExpected, end - arrival);
        inspector_.expect({arrival, expected});
      }
      if (frame.dropped) [[unlikely]] {
        inspector_.note_dropped(1);  // how many, the Crew counts
      }
      if (frame.share == Batch::kNothing) {
        inspector_.pass(frame.at);
      } else if (frame.share == share_) {
        inspector_.follow(*arrival++);
      } else {
        inspector_.pass(*arrival++);
      }
    }
    if (batch.dropped_behind != 0) {
      inspector_.note_dropped(batch.dropped_behind);
    }
    if (batch.last) {
      inspector_.finish();
    }
  }

  // What is said in one form: cli::Channels.
  class Channel final : public Records {
   public:
    Channel(Follower& follower, size_t number) : follower_(follower), number_(number) {}
    report::Buffer& buffer() override { return follower_.part_->buffer(number_); }
    void record_done() override { done(report::Piece::Kind::record); }
    void heading_done() override { done(report::Piece::Kind::heading); }
    void aside_done() override { done(report::Piece::Kind::aside); }

   private:
    void done(report::Piece::Kind kind) {
      if (follower_.merged_) {
        follower_.part_->done(follower_.inspector_.now(), kind, number_);
      }
    }
    Follower& follower_;
    const size_t number_;
  };
  Records& make_channels(const ReadingOptions& options) {
    channels_.emplace_back(*this, 0);
    for (const ReadingOptions::Report& report : options.reports) {
      if (report.streams()) {
        channels_.emplace_back(*this, channels_.size());
      }
    }
    return channels_.front();
  }
  // As Context has them.
  std::vector<Records*> reports(const ReadingOptions& options) {
    std::vector<Records*> all;
    size_t channel = 0;
    for (const ReadingOptions::Report& report : options.reports) {
      all.push_back(report.streams() ? &channels_[++channel] : nullptr);
    }
    return all;
  }

  // flow::NumberingLog
  void on_promise(flow::Promise promise, track::ConnectionNumber number, uint64_t order) override {
    part_->note(inspector_.now(), promise, number, order);
  }

  const Ring& batches_;
  const size_t place_;  // among the followers
  const uint32_t share_;
  const bool merged_;             // with what others say
  report::Part* part_ = nullptr;  // of the Batch at hand
  std::deque<Channel> channels_;
  Inspector inspector_;
  std::counting_semaphore<> ready_{0};
  std::atomic<uint64_t> done_ = 0;  // Batches
  std::atomic<bool> stopped_ = false, starved_ = false;
  std::exception_ptr trouble_;
  std::jthread thread_;
};

namespace {

// The thread that reads has the least to do.
Intake::Options intake_options(const ReadingOptions& options) {
  const Options analyzer = options.analyzer();
  Intake::Options intake = analyzer.intake();
  intake.digested_ports = analyzer.rpcrdma_ports;
  return intake;
}

}  // namespace

Crew::Crew(const Division& division, const ReadingOptions& options, const MakeReporter& make_reporter,
           Inspector& main, Output& output)
    : division_(division),
      main_(main),
      output_(output),
      channels_(main.context()),
      intake_(intake_options(options)),
      allotment_(division.followers),
      merger_(division.followers) {
  ring_[0] = std::make_unique<Batch>(division.followers, channels_.count());
  const SignalsBlocked blocked;
  try {
    for (size_t place = 0; place < division.followers; ++place) {
      followers_.push_back(
          std::make_unique<Follower>(ring_, place, division, options, make_reporter, main.context().style));
    }
  } catch (const std::system_error& error) {
    throw Failure(fmt::format("thread {} of {} could not be started: {}; --threads 1 needs none",
                              followers_.size() + 1, division.followers, error.code().message()));
  }
}

Crew::~Crew() = default;

void Crew::feed(const Frame& frame, const Block& block) {
  Batch& batch = filled();
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
    share = this->share(arrival);
  }
  batch.frames.push_back({frame.at, share, frame.dropped != 0});
  if (frame.bytes.size() > kLargeFrame) [[unlikely]] {
    catch_up();  // its memory is free before there is another
  } else if (batch.full()) {
    hand_over();
  }
}

uint32_t Crew::share(const track::Arrival& arrival) {
  return division_.shard ? arrival.share(division_.shard->of) : allotment_.of(arrival);
}

// The Batch at hand is whole; another one takes its place.
void Crew::hand_over() {
  Batch& batch = filled();
  batch.origin_ns = main_.context().style.origin_ns;
  blocks_ += batch.blocks.size();
  ++handed_over_;
  for (const auto& follower : followers_) {
    follower->start();
  }
  while (collected_ != handed_over_ && oldest_is_done()) {
    collect();
  }
  while (handed_over_ - collected_ == kMostUnderWay || blocks_ > kMostBlocks) {
    collect();
  }
  if (spare_.empty()) {
    spare_.push_back(std::make_unique<Batch>(followers_.size(), channels_.count()));
  }
  ring_[handed_over_ % kMostUnderWay] = std::move(spare_.back());
  spare_.pop_back();
}

bool Crew::oldest_is_done() const {
  return std::all_of(followers_.begin(), followers_.end(),
                     [&](const auto& follower) { return follower->is_done(collected_ + 1); });
}

// Waits for the oldest Batch that is under way, and writes what was said of it.
void Crew::collect() {
  for (const auto& follower : followers_) {
    follower->wait(collected_ + 1);
    follower->check();
  }
  std::unique_ptr<Batch> batch = std::move(ring_[collected_++ % kMostUnderWay]);
  blocks_ -= batch->blocks.size();
  write(*batch);
  batch->clear();
  spare_.push_back(std::move(batch));
  output_.check();
}

void Crew::write(Batch& batch) {
  if (division_.shard) {
    for (report::Piece piece; batch.parts[0].next(piece);) {
      report::put_piece(output_.buffer(), piece);
      output_.record_done();
    }
    return;
  }
  if (followers_.size() == 1) {
    for (size_t channel = 0; channel < channels_.count(); ++channel) {
      report::put(channels_.buffer(channel), report::view(batch.parts[0].buffer(channel)));
      channels_.record_done(channel);
    }
    return;
  }
  std::vector<report::Pieces*> pieces;
  for (report::Part& part : batch.parts) {
    pieces.push_back(&part);
  }
  merger_.merge(pieces, channels_);
}

void Crew::catch_up() {
  if (!filled().frames.empty()) {
    hand_over();
  }
  while (collected_ != handed_over_) {
    collect();
  }
}

void Crew::finish(uint64_t dropped_behind) {
  intake_.note_dropped(dropped_behind);
  filled().dropped_behind = dropped_behind;
  filled().last = true;
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
    counters_.add_share(follower.inspector().counters());
    main_.reporter().absorb({follower.inspector().reporter(), place, merger_});
  }
}

}  // namespace steertag::cli
