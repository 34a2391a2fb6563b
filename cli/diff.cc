// steertag diff: what changed from one capture to another?

#include "report/diff.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "commands.h"
#include "diff_options.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/reading.h"
#include "host/sandbox.h"
#include "host/target.h"
#include "product/diff.h"
#include "report/stream.h"

namespace steertag::cli {
namespace {

// Two traces, read one after the other by a process that has opened all of their files and given up its
// rights before it reads the first byte of either.
class Compare {
 public:
  explicit Compare(const DiffOptions& options)
      : options_(options),
        of_before_(options.reading_before()),
        of_after_(options.reading_after()),
        make_([this](product::Context& context) {
          return std::make_unique<product::DiffProduct>(context, options_.policy);
        }) {
    before_.emplace(of_before_, make_, output_);
    after_.emplace(of_after_, make_, output_);
    output_.open(options.reading.output);
    output_.show(options.reading.format == "text" ? host::Output::Form::text : host::Output::Form::other,
                 options.pages() ? host::Output::Paging::wanted : host::Output::Paging::unwanted);
    before_->prepare({});
    after_->prepare({});
    check_shard();
    enter();
    before_->open();
    after_->open();
  }

  int all() {
    try {
      if (options_.reading.jsonl()) {
        report::json_stream(output_.buffer(), STEERTAG_VERSION);
        output_.record_done();
      }
      const product::GatheredTrace before = gather(before_);
      const product::GatheredTrace after = gather(after_);
      print(before, after);
      interrupted_ ? output_.leave() : output_.close();
    } catch (const host::ReaderGone&) {
      return status_;  // as far as it is known
    }
    if (interrupted_) {
      host::complain("interrupted: nothing was compared" + host::given_up());
    }
    return status_;
  }

 private:
  void check_shard() const {
    if (options_.reading.shard) {
      throw host::Failure("--shard: diff needs all connections in one run");
    }
  }

  void enter() const {
    if (!options_.reading.sandbox) {
      return;
    }
    std::vector<std::string> again = before_->trace().read_again();
    const std::vector<std::string> more = after_->trace().read_again();
    again.insert(again.end(), more.begin(), more.end());
    host::enter_sandbox(
        {.read_again = std::move(again), .folders = output_.folders(), .pager = output_.paged()});
  }

  // Reads one of them, and forgets all but what is compared: there is one trace in memory at a time.
  product::GatheredTrace gather(std::optional<host::Reading>& reading) {
    reading->begin();
    if (!interrupted_) {
      reading->read();
      output_.check();
    }
    reading->finish();
    interrupted_ |= reading->interrupted();
    failed_ |= reading->failed();
    reading->conclude();
    reading->last_words();
    product::GatheredTrace gathered = static_cast<product::DiffProduct&>(reading->product()).take();
    reading.reset();
    return gathered;
  }

  void print(const product::GatheredTrace& before, const product::GatheredTrace& after) {
    const diff::Comparison comparison =
        interrupted_ ? diff::Comparison() : compare(before.view(), after.view(), options_.thresholds);
    const report::DiffReport report{comparison, side(before, of_before_), side(after, of_after_)};
    status_ = interrupted_ || failed_ ? 2 : fails(comparison) ? 1 : 0;
    if (options_.reading.jsonl()) {
      records(report);
    } else if (!interrupted_) {
      text(report);
      nothing_there(before, of_before_);
      nothing_there(after, of_after_);
    }
    output_.record_done();
  }

  static report::DiffSide side(const product::GatheredTrace& gathered, const ReadingOptions& reading) {
    return {.files = report::Files{reading.captures},
            .counters = gathered.counters,
            .found = gathered.found,
            .cut = gathered.cut,
            .damaged = gathered.damaged,
            .untold = gathered.untold};
  }

  bool fails(const diff::Comparison& comparison) const {
    return options_.fail_on == "regression"   ? comparison.regressions() != 0
           : options_.fail_on == "difference" ? !comparison.differences.empty()
                                              : false;
  }

  void records(const report::DiffReport& report) {
    for (const diff::Difference& difference : report.comparison.differences) {
      report::json_difference(output_.buffer(), difference, report);
      output_.record_done();
    }
    report::json_diff_summary(output_.buffer(), report, interrupted_ ? "interrupted" : "");
  }

  void text(const report::DiffReport& report) {
    if (options_.reading.format == "markdown") {
      return report::markdown_diff(output_.buffer(), report);
    }
    report::TextStyle style;
    style.palette = options_.reading.palette(output_.terminal());
    style.width = output_.width();
    report::text_diff(output_.buffer(), report, style,
                      options_.reading.quiet ? report::DiffExtent::brief : report::DiffExtent::whole);
  }

  void nothing_there(const product::GatheredTrace& gathered, const ReadingOptions& reading) const {
    if (!options_.reading.quiet && status_ != 2) {
      for (const std::string& line : gathered.nothing) {
        host::complain(host::shown(reading.captures[0]) + ": " + line);
      }
    }
  }

  const DiffOptions& options_;
  const ReadingOptions of_before_, of_after_;
  const product::MakeProduct make_;
  host::Output output_;
  std::optional<host::Reading> before_, after_;
  bool interrupted_ = false, failed_ = false;
  int status_ = 0;
};

int run_diff(DiffOptions& options) {
  options.prepare();
  host::watch_interrupts();
  std::vector<std::string> captures = options.before;
  captures.insert(captures.end(), options.after.begin(), options.after.end());
  host::refuse_conflicts(captures, {options.reading.output});
  return Compare(options).all();
}

}  // namespace

void add_diff(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand("diff", "what changed between two captures");
  add_diff_options(*command, *options);
  command->footer(
      "Findings that came, went or changed their number, by their fingerprint; rules that only one\n"
      "side puts to the test; of each operation how many RPCs, how they failed, how long they took\n"
      "until the Reply was delivered (p50, p99), how large their messages were, whether these went\n"
      "inline, reduced or long, and their chunks; remote invalidation, credits, retransmissions.\n"
      "What no two runs of a workload have alike is never a difference: frames, times of day, XIDs,\n"
      "handles, addresses. Nor is noise:\n"
      "  count=10% few=3    numbers differ by more than that, of as many RPCs; retransmissions, NAKs\n"
      "                     and notes by half and by more than 10; sizes by 512 bytes an RPC\n"
      "  p50=2x             the slower median is so many times the other; and most RPCs agree\n"
      "  p99=2x             the same, and at least three RPCs took longer than that\n"
      "  floor=1ms          and by so much; both sides have --min-count RPCs\n"
      "\n"
      "Regressions are: a new finding of severity warning or error, unless it is only possible;\n"
      "more of one for as many RPCs; a latency that grew; an operation that fails in a way in which\n"
      "it did not, or more often (failed=0%: so many more of its RPCs may), but for answers like\n"
      "NFS3ERR_NOENT; a rule of --require that is not judged any more; and no RPC-over-RDMA at all.\n"
      "\n"
      "Exit status: 0 no regression, 1 one (--fail-on), 2 could not do the work.\n"
      "\n"
      "Examples:\n"
      "  steertag diff old-kernel.pcap new-kernel.pcap\n"
      "  steertag diff --threshold p99=1.5x,floor=200us --require INV,CRD good.pcap nightly.pcap.zst\n"
      "  steertag diff --fail-on difference --before a1.pcap a2.pcap --after b1.pcap b2.pcap\n"
      "  steertag diff --format markdown good.pcap nightly.pcap > comment.md\n"
      "  steertag diff --format jsonl a.pcap b.pcap | jq -r 'select(.regression) | .kind + \" \" + .what'");
  command->callback([options, &chosen] { chosen = [options] { return run_diff(*options); }; });
}

}  // namespace steertag::cli
