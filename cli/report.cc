// steertag report: a capture for eyes: one HTML file with everything that audit, flows and stats say.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "configure.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/packed.h"
#include "host/target.h"
#include "pair.h"
#include "product/page.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct PageOptions : product::PageOptions {
  ReadingOptions reading;
  std::vector<std::string> against;
};

constexpr size_t kOtherRpcs = 10'000;  // of the capture that is set against the page's own, at most

void prepare(PageOptions& options) {
  if (!options.against.empty() && options.reading.jsonl()) {
    throw host::Failure("--against: is for the page; --format jsonl has the records of one capture");
  }
  configure(options.policy, options.reading);
  check_rules(options.policy);
  if (options.reading.output.empty() && !options.reading.jsonl() && isatty(STDOUT_FILENO) != 0) {
    throw host::Failure("report: its page goes to a file, as in -o report.html");
  }
}

// The page of a capture, with what another one came to.
class PageAgainst {
 public:
  explicit PageAgainst(const PageOptions& options)
      : page_(2),
        of_(side_by_side(options.reading, options.reading.captures, options.against)),
        own_(with(options, options.rpcs)),
        other_(with(options, std::min(options.rpcs, kOtherRpcs))),
        records_(own_.rpcs, options.reading.memory / 2, &turns_),
        other_records_(other_.rpcs, options.reading.memory / 2, &turns_),
        pair_({of_[0], make_own_}, {of_[1], make_other_}, output_) {
    output_.open(options.reading.output);
    host::show(output_, options.reading);
    pair_.open("--against");
  }

  int all() {
    try {
      pair_.read([&](host::Reading& reading) {
        reading.product().sum_up(reading.summary());
        nothing_there(reading);
      });
      const bool whole = !pair_.interrupted() || of_[0].allow_cut;
      whole ? output_.close() : output_.leave();
    } catch (const host::ReaderGone&) {
      return status();
    }
    if (pair_.interrupted()) {
      host::complain("interrupted" + host::given_up());
    }
    return status();
  }

 private:
  product::PageOptions with(const PageOptions& options, size_t rpcs) {
    product::PageOptions made = options;
    made.rpcs = rpcs;
    made.wrapping = &page_;
    return made;
  }
  void nothing_there(const host::Reading& reading) const {
    const Counters& counters = reading.counters();
    if (counters.messages == 0 && !of_[0].quiet && status() != 2) {
      for (const std::string& line : reading.product().seen().text(counters)) {
        host::complain(host::shown(reading.trace().paths()[0]) + ": " + line);
      }
    }
  }
  int status() const { return pair_.failed() ? 2 : 0; }

  host::TakingTurns turns_;
  host::PackedPage page_;
  const std::array<ReadingOptions, 2> of_;
  const product::PageOptions own_, other_;
  product::PageRecords records_, other_records_;
  const product::MakeProduct make_own_ = [this](product::Context& context) {
    return std::make_unique<product::PageProduct>(context, own_, records_);
  };
  const product::MakeProduct make_other_ = [this](product::Context& context) {
    return std::make_unique<product::PageProduct>(context, other_, other_records_);
  };
  host::Output output_;
  Pair pair_;
};

int run_against(const PageOptions& options) {
  host::watch_interrupts();
  std::vector<std::string> captures = options.reading.captures;
  captures.insert(captures.end(), options.against.begin(), options.against.end());
  host::refuse_conflicts(captures, {options.reading.output});
  return PageAgainst(options).all();
}

}  // namespace

void add_report(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<PageOptions>();
  options->reading.format = "html";
  CLI::App* command =
      app.add_subcommand("report", "all of this for eyes: one HTML file, opened in a browser");
  add_reading_options(*command, options->reading, {"html", "jsonl"});
  command->get_option("--format")
      ->description("html (the page), or jsonl: the records that it is made\nfrom, for programs");
  add_rule_choice(*command, options->policy);
  add_baseline_options(*command, options->policy, options->reading);
  command->remove_option(command->get_option("--strict-baseline"));
  add_config_options(*command, options->policy, options->reading);
  command
      ->add_option(
          "--rpcs", options->rpcs,
          "how many RPCs the page holds one by one (100000), as an\neven sample; and a quarter each of the "
          "slowest, and of\nthose that failed or have findings")
      ->check(whole("a number of RPCs", 4, 1'000'000))
      ->default_str("")
      ->type_name("N");
  command
      ->add_option(
          "--against", options->against,
          "another capture, set beside this one: what they are,\nwhat stands out in each, their operations, "
          "the rules\nthat they break; as often as wanted, read as one trace")
      ->allow_extra_args(false)
      ->type_name("CAPTURE");
  command->callback([options, &chosen] {
    chosen = [options] {
      prepare(*options);
      if (!options->against.empty()) {
        return run_against(*options);
      }
      host::PackedPage page(1);
      host::TakingTurns turns;
      options->wrapping = options->reading.jsonl() ? nullptr : &page;
      product::PageRecords records(options->rpcs, options->reading.memory, &turns);
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::PageProduct>(context, *options, records);
      });
    };
  });
}

}  // namespace steertag::cli
