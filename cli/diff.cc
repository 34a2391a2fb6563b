// steertag diff: what changed from one capture to another?

#include "report/diff.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "commands.h"
#include "diff/compare.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/reading.h"
#include "host/target.h"
#include "options.h"
#include "pair.h"
#include "product/diff.h"
#include "report/stream.h"
#include "rpc_options.h"
#include "rule_options.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

// DiffOptions: what steertag diff is asked to compare, what counts as a difference, and which differences
// turn the exit status into 1.
//
// The names of thresholds are an interface, as those of options are.
struct DiffOptions {
  ReadingOptions reading;  // but for the captures
  product::Policy policy;
  std::string one_before, one_after;       // BEFORE, AFTER
  std::vector<std::string> before, after;  // --before, --after
  std::string fail_on = "regression";      // regression, difference, never
  diff::Thresholds thresholds;

  // Throws Failure where it is not said what to compare, or a rule does not exist. Once.
  void prepare();
};

// "1.5", and one of these units behind it, or nothing. Unset where it is none, or out of these bounds.
std::optional<double> number(std::string text, std::string_view unit, double least, double most) {
  if (text.ends_with(unit)) {
    text.erase(text.size() - unit.size());
  }
  double value = -1;
  const bool sound = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9')) &&
                     CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
  return sound ? std::optional(value) : std::nullopt;
}

// "p99=1.5x". What is wrong with it; empty: nothing is, and it is set.
std::string set_threshold(const std::string& text, diff::Thresholds& thresholds) {
  constexpr double kMostTimes = 1e6, kMostCounts = 1e9;
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name == "p50" || name == "p99") {
    const auto times = number(value, "x", 1, kMostTimes);
    (name == "p50" ? thresholds.p50 : thresholds.p99) = times.value_or(1);
    return times ? "" : text + " is not a factor from 1 on: " + name + "=1.5x";
  }
  if (name == "floor") {
    const auto ns = read_duration(value);
    thresholds.floor_ns = ns.value_or(0);
    return ns ? "" : text + " is not a time: floor=500us";
  }
  if (name == "failed" || name == "count") {
    const auto percent = number(value, "%", 0, 100);
    (name == "failed" ? thresholds.failed : thresholds.count) = percent.value_or(0) / 100;
    return percent ? "" : text + " is not a percentage from 0 to 100: " + name + "=5%";
  }
  if (name == "few") {
    const auto few = number(value, "", 0, kMostCounts);
    thresholds.few = static_cast<uint64_t>(few.value_or(0));
    return few && value.find('.') == std::string::npos ? "" : text + " is not a number: few=10";
  }
  return text + " is not a threshold: p50=2x, p99=2x, floor=1ms, failed=0%, count=10%, few=3";
}

void add_sides(CLI::App& command, DiffOptions& options) {
  command
      .add_option("BEFORE", options.one_before, "pcap or pcapng, plain, gzip or zstd; - is standard input")
      ->type_name("")
      ->option_text("");
  command.add_option("AFTER", options.one_after, "what to compare it with")->type_name("")->option_text("");
  command.add_option("--before", options.before, "instead of BEFORE: captures that are read as one trace")
      ->type_name("CAPTURE")
      ->option_text("CAPTURE ...");
  command.add_option("--after", options.after, "the same instead of AFTER")
      ->type_name("CAPTURE")
      ->option_text("CAPTURE ...");
}

void DiffOptions::prepare() {
  check_rules(policy);
  const bool pair = !one_after.empty() && before.empty() && after.empty();
  const bool sets = one_before.empty() && !before.empty() && !after.empty();
  if (!pair && !sets) {
    throw host::Failure(
        "diff: compares BEFORE with AFTER, or --before CAPTURE... with --after CAPTURE...; see "
        "steertag diff --help");
  }
  if (pair) {
    before = {one_before};
    after = {one_after};
  }
  thresholds.strict = policy.strict;
  if (!policy.require.empty()) {
    thresholds.required = [this](const rules::Rule& rule) {
      return std::any_of(policy.require.begin(), policy.require.end(),
                         [&](const std::string& word) { return rules::meant(rule, word); });
    };
  }
}

void add_diff_options(CLI::App& command, DiffOptions& options) {
  add_sides(command, options);
  add_reading_options(command, options.reading, {"text", "jsonl", "markdown"}, Captures::by_command);
  say_written_whole(command);
  add_pager_option(command, options.reading.pager);
  add_rule_choice(command, options.policy);
  take_list(command.add_option("--require", options.policy.require,
                               "that one of these was judged before and is not now is a\nregression"),
            "RULES");
  command
      .add_option("--fail-on", options.fail_on,
                  "exit with 1 where there is one: regression, difference,\nnever")
      ->check(one_of({"regression", "difference", "never"}))
      ->type_name("WHAT");
  command
      .add_option_function<std::vector<std::string>>(
          "--threshold",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              set_threshold(text, options.thresholds);
            }
          },
          "where differences begin (below), as often as wanted")
      ->check(CLI::Validator(
          [](std::string& text) {
            diff::Thresholds scratch;
            return set_threshold(text, scratch);
          },
          ""))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--min-count", options.thresholds.least_rpcs,
                  "RPCs of an operation that both sides need before their\nlatencies are compared (30)")
      ->check(whole("a number of RPCs", 1, UINT32_MAX))
      ->default_str("")
      ->type_name("N");
}

// Two traces; of each, all but what is compared is forgotten before the other is read.
class Compare {
 public:
  explicit Compare(const DiffOptions& options)
      : options_(options),
        of_(side_by_side(options.reading, options.before, options.after)),
        make_([this](product::Context& context) {
          return std::make_unique<product::DiffProduct>(context, options_.policy);
        }),
        pair_({of_[0], make_}, {of_[1], make_}, output_) {
    output_.open(options.reading.output);
    const bool pages = of_[0].pages() && of_[1].pages();
    output_.show(options.reading.format == "text" ? host::Output::Form::text : host::Output::Form::other,
                 pages ? host::Output::Paging::wanted : host::Output::Paging::unwanted);
    pair_.open("diff");
  }

  int all() {
    try {
      if (options_.reading.jsonl()) {
        report::json_stream(output_.buffer(), STEERTAG_VERSION);
        output_.record_done();
      }
      std::vector<product::GatheredTrace> gathered;
      pair_.read([&](host::Reading& reading) {
        gathered.push_back(static_cast<product::DiffProduct&>(reading.product()).take());
      });
      print(gathered[0], gathered[1]);
      pair_.interrupted() ? output_.leave() : output_.close();
    } catch (const host::ReaderGone&) {
      return status_;  // as far as it is known
    }
    if (pair_.interrupted()) {
      host::complain("interrupted: nothing was compared" + host::given_up());
    }
    return status_;
  }

 private:
  void print(const product::GatheredTrace& before, const product::GatheredTrace& after) {
    const diff::Comparison comparison =
        pair_.interrupted() ? diff::Comparison() : compare(before.view(), after.view(), options_.thresholds);
    const report::DiffReport report{comparison, side(before, of_[0]), side(after, of_[1])};
    status_ = pair_.interrupted() || pair_.failed() ? 2 : fails(comparison) ? 1 : 0;
    if (options_.reading.jsonl()) {
      records(report);
    } else if (!pair_.interrupted()) {
      text(report);
      nothing_there(before, of_[0]);
      nothing_there(after, of_[1]);
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
    report::json_diff_summary(output_.buffer(), report, pair_.interrupted() ? "interrupted" : "");
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
  const std::array<ReadingOptions, 2> of_;
  const product::MakeProduct make_;
  host::Output output_;
  Pair pair_;
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
  command->callback([options, &chosen] { chosen = [options] { return run_diff(*options); }; });
}

}  // namespace steertag::cli
