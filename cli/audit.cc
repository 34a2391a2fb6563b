// steertag audit: which requirements does this traffic break, which did it keep?

#include "product/audit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "configure.h"
#include "each.h"
#include "host/capture_list.h"
#include "host/config.h"
#include "host/config_file.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/output.h"
#include "live_options.h"
#include "product/audit_forms.h"
#include "rpc_options.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct AuditOptions : product::AuditOptions {
  ReadingOptions reading;
  XidTexts xids;
  bool show_config = false;
};

// "sarif=out.sarif"; unset where it is no form and a file.
std::optional<ReadingOptions::Report> read_report(const std::string& text) {
  const size_t equals = text.find('=');
  const std::vector<std::string> names = product::audit_forms();
  if (equals == std::string::npos || equals + 1 == text.size() ||
      std::find(names.begin(), names.end(), text.substr(0, equals)) == names.end()) {
    return std::nullopt;
  }
  return ReadingOptions::Report{text.substr(0, equals), text.substr(equals + 1)};
}

void add_report_option(CLI::App& command, ReadingOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--report",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              options.reports.push_back(*read_report(text));
            }
          },
          "the same in another form, too: any of --format, into\nFILE; as often as wanted")
      ->check(CLI::Validator(
          [](std::string& text) {
            return read_report(text) ? std::string()
                                     : text + " is not FORMAT=FILE; the formats are " +
                                           CLI::detail::join(product::audit_forms(), ", ");
          },
          ""))
      ->allow_extra_args(false)
      ->type_name("FORMAT=FILE");
}

// Reads no capture, and destroys none that is named.
int show_config(const AuditOptions& options) {
  check_rules(options.policy);
  ReadingOptions named = options.reading;
  named.captures = host::readable(host::list_captures(named.captures));
  host::refuse_conflicts(named);
  host::Output output;
  output.open(options.reading.output);
  report::put(output.buffer(), host::toml(effective(options.policy, options.reading)));
  output.close();
  return 0;
}

int audit(AuditOptions& options) {
  configure(options.policy, options.reading);
  if (options.show_config) {
    return show_config(options);
  }
  prepare(options.filter, options.xids);
  options.keep_on = options.reading.ring.keep_on;
  check_rules(options.policy);
  options.folder = host::current_folder();
  if (options.scorecard && !options.whole()) {
    throw host::Failure("--scorecard: is of all that was captured, not of what --conn or --xid choose");
  }
  if (options.incidents && (options.each || !options.whole())) {
    throw host::Failure(
        "--incidents: told of all captures together, not of each, nor of what --conn or --xid choose");
  }
  if (options.each) {
    if (!options.budgets.empty()) {
      throw host::Failure("--fail-on: budgets are of all captures together, not of --each");
    }
    return audit_each(options, options.reading);
  }
  if (options.reading.ring.files != 0) {
    options.reading.reports.push_back({ReadingOptions::kRing, {}});
  }
  return run(options.reading, [&](product::Context& context) {
    return std::make_unique<product::AuditProduct>(context, options);
  });
}

}  // namespace

void add_audit(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App* command =
      app.add_subcommand("audit", "which requirements this traffic breaks, where, by whom; which it keeps");
  add_reading_options(*command, options->reading, product::audit_forms());
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_report_option(*command, options->reading);
  add_rule_options(*command, options->policy, &options->budgets);
  add_baseline_options(*command, options->policy, options->reading);
  add_config_options(*command, options->policy, options->reading);
  command->add_flag("--show-config", options->show_config, "print what is in force, as a configuration")
      ->excludes("--report");
  add_ring_options(*command, options->reading);
  command
      ->add_option("--max-repeat", options->max_repeat,
                   "lines for one rule on one connection, then a count\n(5; 0: all; jsonl always has all)")
      ->check(whole("a number of lines", 0, UINT32_MAX))
      ->type_name("N");
  add_filter_options(*command, options->filter, options->xids);
  command->add_flag("-v,--verbose", options->verbose, "below each finding, how to look at what it is about");
  command->add_flag(
      "--tally", options->tally,
      "for each rule that had anything to check, how often\nit was checked, kept, broken; and how many "
      "had not\n(jsonl has all)");
  command->add_flag("--tally-all", options->tally_all, "the same, with those that had nothing to check");
  command->add_flag("--each", options->each,
                    "each file apart from the others, as if audited alone;\nfolders stand for all captures "
                    "in them; then a table");
  command->add_flag("--scorecard", options->scorecard,
                    "for each document, role and family: the requirements\nthat this traffic exercised, "
                    "kept, broke; and which it\nnever put to the test (-v: word for word)");
  command->add_flag(
      "--incidents", options->incidents,
      "what happened, too, as steertag summary tells it: an\noutage, a hang, a storm; an audit then "
      "costs what stats\ndoes besides");
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading, options->show_config);
    options->tally |= options->tally_all;
    chosen = [options] { return audit(*options); };
  });
}

}  // namespace steertag::cli
