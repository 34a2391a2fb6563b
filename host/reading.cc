#include "host/reading.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <thread>

#include "base/counted.h"
#include "base/units.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/out_of_memory.h"

namespace steertag::host {

Reading::Reading(const RunOptions& options, const product::MakeProduct& make_product, Output& output,
                 Tap* tap)
    : options_(options),
      make_product_(make_product),
      output_(output),
      tap_(tap),
      trace_(options.captures, options.others, tap != nullptr ? tap->take_frames() : -1),
      progress_(!options.quiet && trace_.size() != 0) {
  trace_.on_wait = [this] {
    if (tap_ != nullptr) {
      let_time_pass();
    }
    crew_ ? crew_->catch_up() : follow_ahead();
    output_.flush();
    return !output_.failed();
  };
  trace_.on_trouble = [this](const std::string& path, const std::string& trouble) {
    hide_progress();
    complain(shown(path) + ": " + trouble);
  };
}

void Reading::prepare(const std::vector<product::Records*>& reports) {
  report::TextStyle style;
  style.palette = options_.palette(output_.terminal());
  style.files = report::Files{trace_.paths()};
  style.width = output_.width();
  style.folds = output_.folds();
  main_.emplace(
      product::Context{
          .settings = options_, .records = output_, .style = style, .course = {}, .reports = reports},
      make_product_);
}

void Reading::begin() {
  progress_.begin();
  output_.before_write = [this] { hide_progress(); };
  product().begin();
  if (const uint32_t workers = this->workers(); workers != 0) {
    crew_.emplace(Division{workers, options_.shard}, options_, make_product_, *main_, output_);
  }
}

// Threads that follow connections besides this one, which then only reads; 0: it does everything.
uint32_t Reading::workers() const {
  const uint32_t threads = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
  if (options_.shard || (threads > 1 && main_->product().chooses_by_number())) {
    return 1;
  }
  return threads > 1 ? std::min(threads, RunOptions::kMostThreads) : 0;
}

void Reading::read() {
  constexpr uint64_t kLook = 1024;  // frames
  Frame frame;
  bool first = true;
  uint64_t frames = progressed.frames.load(std::memory_order_relaxed);  // of what was read before
  while (trace_.next(frame) && !stopped()) {
    progressed.frames.store(++frames, std::memory_order_relaxed);
    if (first) {
      context().style.origin_ns = frame.at.time_ns;
      first = false;
    }
    if (ring_ != nullptr) {
      ring_->add(frame);
    }
    latest_ = frame.at;
    if (crew_) {
      crew_->feed(frame, trace_.block());
    } else if (ahead_.add(frame, trace_.block())) {
      follow_ahead();
    }
    if (tap_ != nullptr && frames % kLook == 0) [[unlikely]] {
      output_.flush();  // somebody waits for what is found, even where frames never pause
    }
    if (progress_.due()) {
      progress_.show(trace_.position(), trace_.size());
    }
  }
  interrupted_ = host::interrupted();
  if (tap_ != nullptr && !output_.failed()) {
    tap_trouble_ = tap_->trouble();
  }
}

// What waits for time to go on, need not wait for a frame.
void Reading::let_time_pass() {
  if (latest_.number == 0) {
    return;
  }
  const int64_t now_ns = trace_.quiet_until_ns();
  if (now_ns <= latest_.time_ns) {
    return;
  }
  latest_.time_ns = now_ns;
  if (crew_) {
    crew_->pass(latest_);
  } else {
    follow_ahead();
    main_->analyzer().feed(std::array{TakenFrame{.at = latest_}});
  }
}

void Reading::follow_ahead() {
  main_->feed(ahead_.frames());
  ahead_.clear();
  output_.check();
}

// Who writes into a pipe is interrupted, too, and its last words are read.
bool Reading::stopped() const {
  return trace_.size() != 0 && host::interrupted();
}

void Reading::finish() {
  if (crew_) {
    crew_->finish(trace_.dropped_behind());
  } else {
    follow_ahead();
    if (trace_.dropped_behind() != 0) {
      main_->analyzer().note_dropped(trace_.dropped_behind());
    }
    main_->finish();
  }
  hide_progress();
}

void Reading::conclude() {
  product::Product& product = this->product();
  product.finish({.counters = counters(), .cut = cut(), .damaged = trace_.damaged() || trace_.foreign()});
  for (const std::string& complaint : product.complaints()) {
    complain(complaint);
  }
  if (!product.failure().empty()) {
    throw Failure(product.failure());
  }
}

report::Summary Reading::summary() const {
  return {.files = trace_.paths().size(),
          .counters = counters(),
          .findings = product().findings(),
          .cut = cut(),
          .damaged = trace_.damaged(),
          .seen = &product().seen()};
}

void Reading::last_words() const {
  const Counters& counters = this->counters();
  if (!tap_trouble_.empty()) {
    complain(tap_trouble_);
  }
  if (counters.checksum_errors != 0) {
    complain(base::counted(counters.checksum_errors, "packet") + " with a wrong ICRC or MPA CRC");
  }
  if (counters.dropped != 0) {
    complain(base::counted(counters.dropped, "frame") +
             " lost while capturing: what they may explain is not judged, or only possible");
  }
  if (counters.given_up != 0) {
    complain(fmt::format(
        "{} of memory were not enough (--memory): {} a connection, an RPC or what waited behind a "
        "hole was dropped; RPCs in progress there are not judged",
        base::size_text(options_.memory), base::counted(counters.given_up, "time")));
  }
}

void Reading::give_up() {
  if (crew_) {
    crew_->give_up();
  }
}

}  // namespace steertag::host
