// steertag baseline: what an audit finds, as a list of what is known, to be looked at and given reasons.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "configure.h"
#include "each.h"
#include "each_totals.h"
#include "host/baseline_file.h"
#include "host/failure.h"
#include "report/verdict.h"
#include "rules/audit.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct BaselineOptions {
  ReadingOptions reading;
  RuleOptions rules;
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
    const std::optional<size_t> place = options.rules.known->find(fingerprint);
    const report::Known* const known = place ? &options.rules.known->all()[*place] : nullptr;
    if (known == nullptr || (known->at_most && alike.times > *known->at_most)) {
      found.push_back(host::known_of(fingerprint, alike));
    }
  }
  const host::Looked looked{
      .at = [&](std::string_view rule) { return options.rules.wants_any(rule); },
      .at_all = complete,
  };
  const std::vector<report::Known> entries = options.before.updated(std::move(found), looked);
  report::put(out, host::BaselineFile::text(entries, options.reading.told_by));
  const std::string changes = options.before.changes(entries);
  if (!changes.empty() && !options.reading.quiet) {
    host::complain(changes);
  }
}

class Baseliner final : public product::Product, public rules::Listener {
 public:
  Baseliner(product::Context& context, const BaselineOptions& options)
      : Product(context),
        options_(options),
        audit_(*this, *this, context.analyzer(), options.rules.settings(options.reading)) {}

  rules::Audit* audit() override { return &audit_; }
  void on_finding(const rules::Finding& finding) override { verdict_.add(finding, context_.course.now); }
  std::string_view whole_only() const override { return "a baseline"; }

  void finish(const product::Ended& ended) override {
    put_baseline(context_.out(), verdict_, ended.complete(), options_);
    context_.records.record_done();
  }

 private:
  void merge(const Share& share) override {
    Product::merge(share);
    verdict_.take_over(static_cast<Baseliner&>(share.product).verdict_, share.place, share.merger);
  }

  const BaselineOptions& options_;
  rules::Audit audit_;
  report::Verdict verdict_;
};

// Whether all of them could be audited, as the status says.
int baseline_each(const BaselineOptions& options) {
  AuditOptions audit;
  audit.reading = options.reading;
  audit.rules = options.rules;
  audit.rules.fail_on = "never";
  audit.rules.strict_baseline = false;
  audit.rules.require.clear();
  audit.wants_verdict = true;
  return audit_each(audit, [&](report::Buffer& out, const EachTotals& totals) {
    put_baseline(out, totals.verdict, totals.complete, options);
  });
}

}  // namespace

void add_baseline(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<BaselineOptions>();
  CLI::App* command =
      app.add_subcommand("baseline", "what an audit finds, as a list of what is known, for audit --baseline");
  add_reading_options_of(*command, options->reading, "toml");
  add_rule_options(*command, options->rules);
  for (const char* option : {"--require", "--strict", "--fail-on"}) {
    command->remove_option(command->get_option(option));
  }
  add_config_options(*command, options->rules);
  command->add_flag(
      "--each", options->each,
      "each file apart from the others, as audit --each has it;\nfolders stand for all captures in them");
  command->footer(
      "Each entry is a behaviour: the rule, who is to blame, the version, the operation, and the sentence\n"
      "without its values. What changes from one capture of the same traffic to the next is no part of it.\n"
      "Give each a reason: audit --baseline accepts none without. Where FILE is a baseline already, entries\n"
      "that remain keep their reasons. What is found no more is dropped, unless its rule was not asked,\n"
      "a capture was cut, or any number is accepted (no at_most). What the configuration or a baseline\n"
      "that it names knows is left out.\n"
      "\n"
      "Exit status: 0 written, 2 could not do the work.\n"
      "\n"
      "Examples:\n"
      "  steertag baseline nfs.pcap -o known.toml\n"
      "  steertag baseline --each nightly/ -o known.toml\n"
      "  steertag baseline --ignore NET --config linux-6.1 nfs-*.pcapng.zst -o known.toml\n"
      "  steertag audit --baseline known.toml nfs.pcap");
  command->callback([options, &chosen] {
    chosen = [options] {
      configure(options->rules, options->reading, options->reading.output);
      options->rules.prepare();
      options->before = host::BaselineFile(options->reading.output);
      if (options->each) {
        return baseline_each(*options);
      }
      return run(options->reading,
                 [&](product::Context& context) { return std::make_unique<Baseliner>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
