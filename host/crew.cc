#include "host/crew.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "host/failure.h"
#include "host/interrupt.h"
#include "report/share.h"

namespace steertag::host {
namespace {

// A part of --memory is for text that waits.
constexpr uint64_t kTextPart = 8;

RunOptions without_text(RunOptions options) {
  options.memory -= options.memory / kTextPart;
  return options;
}

// The thread that reads has the least to do.
Intake::Options intake_options(const RunOptions& options) {
  const Options analyzer = options.analyzer();
  Intake::Options intake = analyzer.intake();
  intake.digested_ports = analyzer.rpcrdma_ports;
  return intake;
}

}  // namespace

Crew::Crew(const Division& division, const RunOptions& options, const product::MakeProduct& make_product,
           product::Inspector& main, Output& output)
    : division_(division),
      options_(without_text(options)),
      main_(main),
      output_(output),
      channels_(main.context()),
      intake_(intake_options(options)),
      allotment_(division.workers),
      merger_(division.workers) {
  ring_[0] = std::make_unique<Batch>(division.workers, channels_.count());
  // A buffer that grows has up to twice the room that it needs.
  const size_t most_text = options.memory / kTextPart / (2 * ring_.size() * division.workers);
  const SignalsBlocked blocked;
  try {
    for (size_t place = 0; place < division.workers; ++place) {
      workers_.push_back(std::make_unique<Worker>(ring_, place, division, options_, most_text, make_product,
                                                  main.context().style));
    }
  } catch (const std::system_error& error) {
    throw Failure(fmt::format("thread {} of {} could not be started: {}; --threads 1 needs none",
                              workers_.size() + 1, division.workers, error.code().message()));
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
  for (const auto& worker : workers_) {
    worker->start();
  }
  while (collected_ != handed_over_ && oldest_is_done()) {
    collect();
  }
  while (handed_over_ - collected_ == ring_.size() || blocks_ > kMostBlocks) {
    collect();
  }
  if (spare_.empty()) {
    spare_.push_back(std::make_unique<Batch>(workers_.size(), channels_.count()));
  }
  ring_[handed_over_ % ring_.size()] = std::move(spare_.back());
  spare_.pop_back();
}

bool Crew::oldest_is_done() const {
  return std::all_of(workers_.begin(), workers_.end(),
                     [&](const auto& worker) { return worker->is_done(collected_ + 1); });
}

// Writes what is said of the oldest Batch that is under way, and waits until it is done.
void Crew::collect() {
  write(oldest());
  std::unique_ptr<Batch> batch = std::move(ring_[collected_++ % ring_.size()]);
  blocks_ -= batch->blocks.size();
  batch->clear();
  spare_.push_back(std::move(batch));
  output_.check();
}

void Crew::write(Batch& batch) {
  std::vector<Said> said;
  for (size_t place = 0; place < workers_.size(); ++place) {
    said.emplace_back(*workers_[place], batch, place, collected_ + 1);
  }
  if (division_.shard) {
    for (report::Piece piece; said[0].next(piece);) {
      report::put_piece(output_.buffer(), piece);
      output_.record_done();
    }
  } else if (said.size() == 1) {
    for (report::Piece piece; said[0].next(piece);) {
      report::put(channels_.buffer(piece.channel), piece.text);
      channels_.record_done(piece.channel);
    }
  } else {
    std::vector<report::Pieces*> pieces;
    for (Said& one : said) {
      pieces.push_back(&one);
    }
    merger_.merge(pieces, channels_);
  }
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
  for (size_t place = 0; place < workers_.size(); ++place) {
    Worker& worker = *workers_[place];
    worker.stop();
    counters_.add_share(worker.inspector().counters());
    main_.product().merge({worker.inspector().product(), place, merger_});
  }
}

}  // namespace steertag::host
