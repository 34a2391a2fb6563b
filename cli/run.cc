#include "run.h"

#include <fmt/core.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/counted.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/reading.h"
#include "host/ring.h"
#include "host/sandbox.h"
#include "host/tap.h"
#include "host/target.h"
#include "report/share.h"
#include "report/stream.h"

namespace steertag::cli {
namespace {

// Frames in, events out; what holds them together for one run.
class Run {
 public:
  Run(const ReadingOptions& options, const product::MakeProduct& make_product)
      : options_(options),
        tap_(options.live ? std::make_unique<host::Tap>(options) : nullptr),
        reading_(options, make_product, output_, tap_.get()) {
    output_.open(options.output);
    host::show(output_, options);
    open_reports();
    reading_.prepare(reports());
    check_shard();
    if (options.sandbox) {
      host::enter_sandbox({.read_again = reading_.trace().read_again(),
                           .folders = folders(),
                           .series = ring_ ? &ring_->series() : nullptr,
                           .pager = output_.paged()});
    }
    reading_.open();
  }

  int all() {
    try {
      begin();
      reading_.read();
      output_.check();  // what failed while input was waited for
      end();
      close();
    } catch (const host::ReaderGone&) {
      reading_.give_up();
      return status();  // by what was read so far
    } catch (const host::Failure&) {
      if (ring_) {
        ring_->finish();  // what was found so far is kept, whatever could not be written besides
        ring_->last_words();
      }
      throw;
    }
    last_words();
    return status();
  }

 private:
  void check_shard() const {
    if (options_.shard && !options_.jsonl()) {
      throw host::Failure("--shard: prints records for steertag merge; add --format jsonl");
    }
    if (options_.shard && !options_.reports.empty()) {
      throw host::Failure("--shard: --report needs all connections in one run");
    }
    if (const std::string_view what = reading_.product().whole_only(); options_.shard && !what.empty()) {
      throw host::Failure(fmt::format("--shard: {} needs all connections in one run", what));
    }
  }

  void open_reports() {
    for (const ReadingOptions::Report& report : options_.reports) {
      if (report.format == ReadingOptions::kRing) {  // the last one
        ring_ = std::make_unique<host::Ring>(options_);
        reading_.write_to(*ring_);
        break;
      }
      reports_.emplace_back().open(report.path, host::Output::Role::report);
      reports_.back().not_alone();
    }
    if (!options_.reports.empty()) {
      output_.not_alone();
    }
  }
  std::vector<product::Records*> reports() {
    std::vector<product::Records*> all;
    for (host::Output& report : reports_) {
      all.push_back(&report);
    }
    if (ring_) {
      all.push_back(ring_.get());
    }
    return all;
  }
  std::vector<int> folders() const {
    std::vector<int> all = output_.folders();
    for (const host::Output& report : reports_) {
      const std::vector<int> more = report.folders();
      all.insert(all.end(), more.begin(), more.end());
    }
    if (ring_) {
      all.push_back(ring_->series().folder);
    }
    return all;
  }
  // Calls what(output) for all that JSON Lines go to.
  void each_jsonl(const auto& what) {
    if (options_.jsonl()) {
      what(output_);
    }
    for (size_t i = 0; i < reports_.size(); ++i) {
      if (options_.reports[i].format == "jsonl") {
        what(reports_[i]);
      }
    }
  }

  void begin() {
    each_jsonl([this](host::Output& output) {
      options_.shard ? report::put_share_stream(output.buffer(), STEERTAG_VERSION,
                                                {options_.shard->place, options_.shard->of, options_.run()},
                                                options_.told_by)
                     : report::json_stream(output.buffer(), STEERTAG_VERSION, options_.told_by);
      output.record_done();
    });
    reading_.begin();
  }

  void end() {
    reading_.finish();
    if (ring_) {
      ring_->finish();
    }
    if (options_.shard) {
      return end_share();
    }
    reading_.conclude();
    const report::Summary summary = reading_.summary();
    each_jsonl([&](host::Output& output) {
      report::json_summary(output.buffer(), summary);
      output.record_done();
    });
    if (!options_.jsonl()) {
      reading_.product().sum_up(summary);
    }
  }

  // What was asked for is whole, or as it was.
  void close() {
    const bool all = !reading_.interrupted() || options_.allow_cut;
    for (host::Output& report : reports_) {
      all ? report.close() : report.leave();
    }
    all ? output_.close() : output_.leave();
  }

  void end_share() {
    report::ShareTotals totals;
    reading_.product().total(totals);
    totals.counters = reading_.counters();
    totals.seen = reading_.product().seen();
    totals.files = reading_.trace().paths().size();
    totals.cut = reading_.cut();
    totals.damaged = reading_.trace().damaged();
    totals.status = static_cast<uint64_t>(status());
    report::put_totals(output_.buffer(), totals);
    output_.record_done();
  }

  void last_words() const {
    const Counters& counters = reading_.counters();
    reading_.last_words();
    if (ring_) {
      ring_->last_words();
    }
    if (reading_.interrupted()) {
      const std::string& fate = host::given_up();
      host::complain("interrupted after " + base::counted(counters.frames, "frame") + fate +
                     (fate.empty() ? "" : " (--allow-cut writes what was read)"));
    } else if (counters.messages == 0 && !options_.jsonl() && !options_.quiet && status() != 2) {
      for (const std::string& line : reading_.product().seen().text(counters)) {
        host::complain(line);
      }
    }
  }

  int status() const {
    return reading_.failed() || (ring_ && ring_->failed()) ? 2 : reading_.product().status();
  }

  const ReadingOptions& options_;
  const std::unique_ptr<host::Tap> tap_;
  host::Output output_;
  std::deque<host::Output> reports_;  // as ReadingOptions::reports
  std::unique_ptr<host::Ring> ring_;
  host::Reading reading_;
};

}  // namespace

int run(const ReadingOptions& options, const product::MakeProduct& make_product) {
  host::watch_interrupts();
  host::refuse_conflicts(options);
  return Run(options, make_product).all();
}

}  // namespace steertag::cli
