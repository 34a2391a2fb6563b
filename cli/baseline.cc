// steertag baseline: what an audit finds, as a list of what is known, to be looked at and given reasons.

#include "product/baseline.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "configure.h"
#include "each.h"
#include "host/baseline_file.h"
#include "host/failure.h"
#include "report/verdict.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct BaselineOptions {
  ReadingOptions reading;
  product::Policy policy;
  bool each = false;
  host::BaselineFile before;  // what the file of -o holds
};

// The text of the file. `complete`: what was not found is not there.
void put_baseline(report::Buffer& out, const report::Verdict& verdict, bool complete,
                  const BaselineOptions& options) {
  if (verdict.beyond() != 0) {
    throw host::Failure(
        fmt::format("more than {} kinds of behaviour were found; --select or --ignore some rules",
                    report::Verdict::kMostAlike));
  }
  // What is not known otherwise, by other baselines or the configuration.
  std::vector<report::Known> found;
  for (const auto& [fingerprint, alike] : verdict.alike()) {
    const std::optional<size_t> place = options.policy.known->find(fingerprint);
    const report::Known* const known = place ? &options.policy.known->all()[*place] : nullptr;
    if (known == nullptr || (known->at_most && alike.times > *known->at_most)) {
      found.push_back(host::known_of(fingerprint, alike));
    }
  }
  const host::Looked looked{
      .at = [&](std::string_view rule) { return options.policy.wants_any(rule); },
      .at_all = complete,
  };
  const std::vector<report::Known> entries = options.before.updated(std::move(found), looked);
  report::put(out, host::BaselineFile::text(entries, options.reading.told_by));
  const std::string changes = options.before.changes(entries);
  if (!changes.empty() && !options.reading.quiet) {
    host::complain(changes);
  }
}

// Whether all of them could be audited, as the status says.
int baseline_each(const BaselineOptions& options) {
  product::AuditOptions audit;
  audit.policy = options.policy;
  audit.policy.fail_on = "never";
  audit.policy.strict_baseline = false;
  audit.policy.require.clear();
  audit.wants_verdict = true;
  return audit_each(audit, options.reading, [&](report::Buffer& out, const product::EachTotals& totals) {
    put_baseline(out, totals.verdict, totals.complete, options);
  });
}

}  // namespace

void add_baseline(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<BaselineOptions>();
  CLI::App* command =
      app.add_subcommand("baseline", "what an audit finds, as a list of what is known, for audit --baseline");
  add_reading_options_of(*command, options->reading, "toml");
  add_rule_options(*command, options->policy);
  for (const char* option : {"--require", "--strict", "--fail-on"}) {
    command->remove_option(command->get_option(option));
  }
  add_config_options(*command, options->policy, options->reading);
  command->add_flag(
      "--each", options->each,
      "each file apart from the others, as audit --each has it;\nfolders stand for all captures in them");
  command->callback([options, &chosen] {
    chosen = [options] {
      configure(options->policy, options->reading, options->reading.output);
      check_rules(options->policy);
      options->before = host::BaselineFile(options->reading.output);
      if (options->each) {
        return baseline_each(*options);
      }
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::BaselineProduct>(
            context, options->policy,
            [&](report::Buffer& out, const report::Verdict& verdict, bool complete) {
              put_baseline(out, verdict, complete, *options);
            });
      });
    };
  });
}

}  // namespace steertag::cli
