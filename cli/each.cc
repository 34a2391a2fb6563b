#include "each.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "audit_formats.h"
#include "base/counted.h"
#include "each_outputs.h"
#include "each_totals.h"
#include "file_crew.h"
#include "host/capture_list.h"
#include "host/conflicts.h"
#include "host/descriptors.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/progress.h"
#include "host/sandbox.h"
#include "report/each.h"
#include "report/policy_file.h"
#include "report/score.h"
#include "report/stream.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

constexpr size_t kMostOpen = 64;  // files: each has a buffer

class Each final : FileCrew::Sink {
 public:
  Each(const AuditOptions& options, const EachEnd& end)
      : options_(options),
        end_(end),
        listed_(host::list_captures(options.reading.captures)),
        outputs_((refuse_outputs(), options.reading)),
        totals_(options),
        progress_(!options.reading.quiet) {
    outputs_.result.before_write = [this] { progress_.hide(); };
    for (const host::ListedCapture& capture : listed_) {
      paths_.push_back(capture.path);
      size_ += capture.size;
    }
  }

  int all() {
    host::Needs needs{.read_again = {}, .folders = outputs_.folders(), .pager = outputs_.result.paged()};
    std::vector<FileCrew::Job> jobs = open(needs);
    if (options_.reading.sandbox) {
      host::enter_sandbox(needs);
    }
    const report::Palette palette = options_.reading.palette(outputs_.result.terminal());
    try {
      begin();
      FileCrew crew(options_, palette, std::move(jobs));
      crew.run(*this);
      progress_.hide();
      totals_.settle();
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
    ReadingOptions named = options_.reading;
    named.captures = host::readable(listed_);
    host::refuse_conflicts(named);
  }

  // All of them, to be read later; where they are many, they are only seen to be there, and opened again.
  std::vector<FileCrew::Job> open(host::Needs& needs) const {
    const bool stay_open = listed_.size() <= kMostOpen && host::may_open(listed_.size());
    std::vector<FileCrew::Job> jobs;
    for (const host::ListedCapture& capture : listed_) {
      FileCrew::Job job{.path = capture.path, .trouble = capture.trouble, .trace = nullptr};
      try {
        if (job.trouble.empty()) {
          job.trace = std::make_unique<host::Trace>(std::vector<std::string>{job.path});
        }
      } catch (const host::Failure& failure) {
        job.trouble = without_name(failure.what(), job.path);
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
        report::json_stream(output.buffer(), STEERTAG_VERSION, options_.reading.told_by);
        output.record_done();
      }
    });
  }

  // FileCrew::Sink
  product::Records& channel(size_t number) override { return outputs_.channel(number); }
  void check() override { outputs_.result.check(); }
  void done(FileAudit&& audit) override {
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
        put_jsonl(output.buffer());
      } else if (form == "text") {
        put_text(output.buffer(), palette);
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
    report::AuditReport report =
        options_.report(totals_.verdict, totals_.tallies, counters, report::Files{paths_});
    report.found = totals_.found;
    report.cut = totals_.cut;
    report.damaged = totals_.damaged;
    report.status = totals_.status;
    totals_.known.tell(report);
    write_reports(options_.reading, report, outputs_.result, reports);
  }

  void put_jsonl(report::Buffer& out) const {
    totals_.known.put_records(out);
    for (size_t i = 0; options_.tally && i < totals_.tallies.size(); ++i) {
      report::json_tally(out, *rules::catalog()[i], totals_.tallies[i]);
    }
    if (options_.scorecard) {
      report::json_score(out, totals_.score);
    }
    const report::AuditedFiles all = totals_.all();
    report::json_summary(out, {.files = all.files.size(),
                               .counters = report::sum_of(all.files),
                               .findings = &all.found,
                               .cut = totals_.cut,
                               .damaged = totals_.damaged,
                               .seen = nullptr,
                               .each = &all});
  }

  void put_text(report::Buffer& out, const report::Palette& palette) const {
    report::TextStyle style;
    style.palette = palette;
    style.files = report::Files{paths_};
    style.width = outputs_.result.width();
    style.folds = outputs_.result.folds();
    style.verbose = options_.verbose;
    totals_.known.put_exceeded(out, totals_.verdict, options_.max_repeat, style);
    if (options_.tally) {
      report::text_tallies(out, totals_.tallies, options_.idle(), style);
    }
    report::text_each(out, totals_.all(), style);
    report::text_policies(out, options_.reading.told_by);
    totals_.known.put_known(out);
    if (options_.scorecard) {
      report::text_score(out, totals_.score, style);
    }
  }

  // What was asked for is whole, or as it was.
  void close() {
    const bool all = totals_.unfinished == 0 || options_.reading.allow_cut;
    for (host::Output& report : outputs_.reports) {
      all ? report.close() : report.leave();
    }
    all ? outputs_.result.close() : outputs_.result.leave();
    if (totals_.unfinished != 0) {
      host::complain(fmt::format("interrupted: {} of {} missing{}", totals_.unfinished,
                                 base::counted(listed_.size(), "file"), host::given_up()));
    }
  }

  const AuditOptions& options_;
  const EachEnd& end_;
  const std::vector<host::ListedCapture> listed_;
  std::vector<std::string> paths_;  // the same
  EachOutputs outputs_;
  EachTotals totals_;
  host::Progress progress_;
  uint64_t size_ = 0, read_ = 0;  // bytes
};

void check_options(const AuditOptions& options) {
  if (options.reading.shard) {
    throw host::Failure("--each: each file is audited as a whole, not a --shard of it");
  }
  if (!options.filter.connections.empty()) {
    throw host::Failure("--each: --conn names connections of one trace; numbers begin anew in each file");
  }
}

}  // namespace

int audit_each(const AuditOptions& options, const EachEnd& end) {
  check_options(options);
  host::watch_interrupts();
  AuditOptions each = options;
  each.each = true;
  return Each(each, end).all();
}

}  // namespace steertag::cli
