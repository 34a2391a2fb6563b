#include "each.h"

#include <fmt/core.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "host/capture_list.h"
#include "host/conflicts.h"
#include "host/descriptors.h"
#include "host/failure.h"
#include "host/file_crew.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/progress.h"
#include "host/sandbox.h"
#include "product/audit_forms.h"
#include "report/each.h"
#include "report/stream.h"

namespace steertag::cli {
namespace {

// EachOutputs: where the records of captures that are audited apart go: the result, and the reports of
// --report beside it.
// All of them are open before the first capture is read.
struct EachOutputs {
  explicit EachOutputs(const ReadingOptions& chosen) : options(chosen) {
    result.open(options.output);
    host::show(result, options);
    for (const ReadingOptions::Report& report : options.reports) {
      reports.emplace_back().open(report.path, host::Output::Role::report);
    }
    if (!reports.empty()) {
      each([](host::Output& output, const std::string&) { output.not_alone(); });
    }
  }

  // Calls what(output, form) for all of them.
  void each(const auto& what) {
    what(result, options.format);
    for (size_t i = 0; i < reports.size(); ++i) {
      what(reports[i], options.reports[i].format);
    }
  }
  // By its number among cli::Channels.
  host::Output& channel(size_t number) {
    size_t place = 0;
    for (; number != 0; ++place) {
      number -= options.reports[place].streams() ? 1 : 0;
    }
    return place == 0 ? result : reports[place - 1];
  }
  std::vector<int> folders() {
    std::vector<int> all;
    each([&](const host::Output& output, const std::string&) {
      const std::vector<int> more = output.folders();
      all.insert(all.end(), more.begin(), more.end());
    });
    return all;
  }

  const ReadingOptions& options;
  host::Output result;
  std::deque<host::Output> reports;  // as ReadingOptions::reports
};

constexpr size_t kMostOpen = 64;  // files: each has a buffer

class Each final : host::FileCrew::Sink {
 public:
  Each(const product::AuditOptions& options, const ReadingOptions& reading, const EachEnd& end)
      : options_(options),
        reading_(reading),
        end_(end),
        listed_(host::list_captures(reading.captures)),
        outputs_((refuse_outputs(), reading)),
        totals_(options, reading),
        progress_(!reading.quiet) {
    outputs_.result.before_write = [this] { progress_.hide(); };
    for (const host::ListedCapture& capture : listed_) {
      paths_.push_back(capture.path);
      size_ += capture.size;
    }
  }

  int all() {
    host::Needs needs{.read_again = {}, .folders = outputs_.folders(), .pager = outputs_.result.paged()};
    std::vector<host::FileCrew::Job> jobs = open(needs);
    if (reading_.sandbox) {
      host::enter_sandbox(needs);
    }
    const report::Palette palette = reading_.palette(outputs_.result.terminal());
    try {
      begin();
      host::FileCrew crew(options_, reading_, palette, std::move(jobs));
      crew.run(*this);
      progress_.hide();
      totals_.settle();
      for (const std::string& complaint : totals_.known.complaints()) {
        host::complain(complaint);
      }
      end(palette);
      close();
    } catch (const host::ReaderGone&) {
      return totals_.status;  // by what was audited so far
    }
    return totals_.status;
  }

 private:
  // Of what is read. What cannot be looked at is not read either.
  void refuse_outputs() const {
    ReadingOptions named = reading_;
    named.captures = host::readable(listed_);
    host::refuse_conflicts(named);
  }

  // All of them, to be read later; where they are many, they are only seen to be there, and opened again.
  std::vector<host::FileCrew::Job> open(host::Needs& needs) const {
    const bool stay_open = listed_.size() <= kMostOpen && host::may_open(listed_.size());
    std::vector<host::FileCrew::Job> jobs;
    for (const host::ListedCapture& capture : listed_) {
      host::FileCrew::Job job{.path = capture.path, .trouble = capture.trouble, .trace = nullptr};
      try {
        if (job.trouble.empty()) {
          job.trace = std::make_unique<host::Trace>(std::vector<std::string>{job.path});
        }
      } catch (const host::Failure& failure) {
        job.trouble = host::without_name(failure.what(), job.path);
      }
      if (job.trace && !stay_open) {
        job.trace.reset();
        needs.read_again.push_back(job.path);
      }
      jobs.push_back(std::move(job));
    }
    return jobs;
  }

  void begin() {
    outputs_.each([this](host::Output& output, const std::string& form) {
      if (form == "jsonl") {
        report::json_stream(output.buffer(), STEERTAG_VERSION, reading_.told_by);
        output.record_done();
      }
    });
  }

  // host::FileCrew::Sink
  product::Records& channel(size_t number) override { return outputs_.channel(number); }
  void check() override { outputs_.result.check(); }
  void done(product::FileAudit&& audit) override {
    for (const std::string& complaint : audit.complaints) {
      progress_.hide();
      host::complain(complaint);
    }
    outputs_.each([&](host::Output& output, const std::string& form) {
      if (form == "jsonl") {
        report::json_file(output.buffer(), audit.row, audit.seen);
        output.record_done();
      }
    });
    read_ += listed_[totals_.rows.size()].size;
    totals_.add(audit);
    if (progress_.wanted()) {
      progress_.show(read_, size_);
    }
  }

  void end(const report::Palette& palette) {
    outputs_.each([&](host::Output& output, const std::string& form) {
      if (form == "jsonl") {
        totals_.put_jsonl(output.buffer());
      } else if (form == "text") {
        totals_.put_text(output.buffer(), style(palette));
      }
      output.record_done();
    });
    if (end_) {
      end_(outputs_.result.buffer(), totals_);
      outputs_.result.record_done();
    }
    std::vector<product::Records*> reports;
    for (host::Output& report : outputs_.reports) {
      reports.push_back(&report);
    }
    const Counters counters = report::sum_of(totals_.rows);
    product::write_reports(reading_, totals_.report(report::Files{paths_}, counters), outputs_.result,
                           reports);
  }

  report::TextStyle style(const report::Palette& palette) const {
    report::TextStyle style;
    style.palette = palette;
    style.files = report::Files{paths_};
    style.width = outputs_.result.width();
    style.folds = outputs_.result.folds();
    style.verbose = options_.verbose;
    return style;
  }

  // What was asked for is whole, or as it was.
  void close() {
    const bool all = totals_.unfinished == 0 || reading_.allow_cut;
    for (host::Output& report : outputs_.reports) {
      all ? report.close() : report.leave();
    }
    all ? outputs_.result.close() : outputs_.result.leave();
    if (totals_.unfinished != 0) {
      host::complain(fmt::format("interrupted: {} of {} missing{}", totals_.unfinished,
                                 base::counted(listed_.size(), "file"), host::given_up()));
    }
  }

  const product::AuditOptions& options_;
  const ReadingOptions& reading_;
  const EachEnd& end_;
  const std::vector<host::ListedCapture> listed_;
  std::vector<std::string> paths_;  // the same
  EachOutputs outputs_;
  product::EachTotals totals_;
  host::Progress progress_;
  uint64_t size_ = 0, read_ = 0;  // bytes
};

void check_options(const product::AuditOptions& options, const ReadingOptions& reading) {
  if (reading.shard) {
    throw host::Failure("--each: each file is audited as a whole, not a --shard of it");
  }
  if (!options.filter.connections.empty()) {
    throw host::Failure("--each: --conn names connections of one trace; numbers begin anew in each file");
  }
}

}  // namespace

int audit_each(const product::AuditOptions& options, const ReadingOptions& reading, const EachEnd& end) {
  check_options(options, reading);
  host::watch_interrupts();
  product::AuditOptions each = options;
  each.each = true;
  return Each(each, reading, end).all();
}

}  // namespace steertag::cli
