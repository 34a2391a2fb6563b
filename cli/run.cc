#include "run.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "ahead.h"
#include "base/counted.h"
#include "crew.h"
#include "failure.h"
#include "interrupt.h"
#include "out_of_memory.h"
#include "output.h"
#include "progress.h"
#include "report/share.h"
#include "report/stream.h"
#include "report/units.h"
#include "sandbox.h"
#include "target.h"
#include "trace.h"

namespace steertag::cli {

namespace {

// Frames in, events out; what holds them together for one run.
class Run {
 public:
  Run(const ReadingOptions& options, const MakeReporter& make_reporter)
      : options_(options),
        make_reporter_(make_reporter),
        trace_(options.captures),
        progress_(!options.quiet && trace_.size() != 0) {
    output_.open(options.output);
    output_.before_write = [this] { progress_.hide(); };
    trace_.on_wait = [this] {
      crew_ ? crew_->catch_up() : follow_ahead();
      output_.flush();
      return !output_.failed();
    };
    trace_.on_trouble = [this](const std::string& path, const std::string& trouble) {
      progress_.hide();
      complain(shown(path) + ": " + trouble);
    };
    report::TextStyle style;
    style.palette = options.palette(output_.terminal());
    style.files = report::Files{trace_.paths()};
    main_.emplace(Context{options, output_, style, {}}, make_reporter);
    check_shard();
    if (options.sandbox) {
      enter_sandbox({.read_again = trace_.read_again(), .folder = output_.folder()});
    }
    trace_.begin();
  }

  int all() {
    try {
      begin();
      read();
      output_.check();  // what failed while input was waited for
      end();
      interrupted_ && !options_.allow_cut ? output_.leave() : output_.close();
    } catch (const ReaderGone&) {
      if (crew_) {
        crew_->give_up();
      }
      return status();  // by what was read so far
    }
    last_words();
    return status();
  }

 private:
  void check_shard() const {
    if (options_.shard && !options_.jsonl()) {
      throw Failure("--shard: prints records for steertag merge; add --format jsonl");
    }
    if (const std::string_view what = main_->reporter().whole_only(); options_.shard && !what.empty()) {
      throw Failure(fmt::format("--shard: {} needs all connections in one run", what));
    }
  }

  void begin() {
    if (options_.jsonl()) {
      options_.shard ? report::put_share_stream(output_.buffer(), STEERTAG_VERSION,
                                                {options_.shard->place, options_.shard->of, options_.run()})
                     : report::json_stream(output_.buffer(), STEERTAG_VERSION);
      output_.record_done();
    }
    main_->reporter().begin();
    if (const uint32_t followers = this->followers(); followers != 0) {
      crew_.emplace(Crew::Division{followers, options_.shard}, options_, make_reporter_, *main_, output_);
    }
  }

  // Threads that follow connections besides this one, which then only reads; 0: it does everything.
  uint32_t followers() const {
    const uint32_t threads = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
    if (options_.shard || (threads > 1 && main_->reporter().chooses_by_number())) {
      return 1;
    }
    return threads > 1 ? std::min(threads, ReadingOptions::kMostThreads) : 0;
  }

  void read() {
    Frame frame;
    bool first = true;
    for (uint64_t frames = 1; trace_.next(frame) && !stopped(); ++frames) {
      progressed.frames.store(frames, std::memory_order_relaxed);
      if (first) {
        main_->context().style.origin_ns = frame.at.time_ns;
        first = false;
      }
      if (crew_) {
        crew_->feed(frame, trace_.block());
      } else if (ahead_.add(frame, trace_.block())) {
        follow_ahead();
      }
      if (progress_.due()) {
        progress_.show(trace_.position(), trace_.size());
      }
    }
    interrupted_ = interrupted();
  }
  void follow_ahead() {
    main_->feed(ahead_.frames());
    ahead_.clear();
    output_.check();
  }
  // Who writes into a pipe is interrupted, too, and its last words are read.
  bool stopped() const { return trace_.size() != 0 && interrupted(); }

  void end() {
    if (crew_) {
      crew_->finish();
    } else {
      follow_ahead();
      main_->finish();
    }
    progress_.hide();
    const Counters& counters = this->counters();
    if (options_.shard) {
      return end_share();
    }
    main_->reporter().end(counters);
    const report::Summary summary{.files = trace_.paths().size(),
                                  .counters = counters,
                                  .findings = main_->reporter().findings(),
                                  .cut = cut(),
                                  .damaged = trace_.damaged(),
                                  .seen = &main_->reporter().seen()};
    if (options_.jsonl()) {
      report::json_summary(output_.buffer(), summary);
      output_.record_done();
    } else {
      main_->reporter().sum_up(summary);
    }
  }

  void end_share() {
    report::ShareTotals totals;
    main_->reporter().total(totals);
    totals.counters = counters();
    totals.seen = main_->reporter().seen();
    totals.files = trace_.paths().size();
    totals.cut = cut();
    totals.damaged = trace_.damaged();
    totals.status = static_cast<uint64_t>(status());
    report::put_totals(output_.buffer(), totals);
    output_.record_done();
  }

  void last_words() const {
    const Counters& counters = this->counters();
    if (counters.checksum_errors != 0) {
      complain(base::counted(counters.checksum_errors, "packet") + " with a wrong ICRC or MPA CRC");
    }
    if (counters.given_up != 0) {
      complain(fmt::format(
          "{} of memory were not enough (--memory): {} a connection, an RPC or what waited behind a "
          "hole was dropped; RPCs in progress there are not judged",
          report::size_text(options_.memory), base::counted(counters.given_up, "time")));
    }
    if (interrupted_) {
      const std::string& fate = given_up();
      complain("interrupted after " + base::counted(counters.frames, "frame") + fate +
               (fate.empty() ? "" : " (--allow-cut writes what was read)"));
    } else if (counters.messages == 0 && !options_.jsonl() && !options_.quiet && status() != 2) {
      for (const std::string& line : main_->reporter().seen().text(counters)) {
        complain(line);
      }
    }
  }

  const Counters& counters() const { return crew_ ? crew_->counters() : main_->counters(); }

  std::string_view cut() const { return interrupted_ ? "interrupted" : trace_.cut() ? "truncated" : ""; }

  int status() const {
    return trace_.damaged() || trace_.foreign() || (!cut().empty() && !options_.allow_cut)
               ? 2
               : main_->reporter().status();
  }

  const ReadingOptions& options_;
  const MakeReporter& make_reporter_;
  Trace trace_;
  Output output_;
  Progress progress_;
  std::optional<Inspector> main_;
  std::optional<Crew> crew_;
  Ahead ahead_;  // without a crew
  bool interrupted_ = false;
};

}  // namespace

int run(const ReadingOptions& options, const MakeReporter& make_reporter) {
  watch_interrupts();
  refuse_inputs(options.output, options.captures);
  return Run(options, make_reporter).all();
}

}  // namespace steertag::cli
