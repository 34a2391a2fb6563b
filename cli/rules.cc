// steertag rules: which rules exist, and what does one of them require?

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "host/failure.h"
#include "host/output.h"
#include "options.h"
#include "report/finding.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

struct RulesOptions {
  std::vector<std::string> words;
  std::string format = "text";
  std::string color = "auto";
  std::string output;
  bool pager = true;
};

// What is shown of a rule: its line in the list, or all of it.
enum class Extent : uint8_t { line, page };

int list(const RulesOptions& options) {
  for (const std::string& word : options.words) {
    if (!rules::known(word)) {
      throw host::Failure(word + ": no such rule or family; see steertag rules");
    }
  }
  host::Output output;
  output.open(options.output);
  output.show(options.format == "text" ? host::Output::Form::text : host::Output::Form::other,
              options.pager ? host::Output::Paging::wanted : host::Output::Paging::unwanted);
  ReadingOptions reading;
  reading.color = options.color;
  report::TextStyle style;
  style.palette = reading.palette(output.terminal());
  style.width = output.width();
  style.folds = output.folds();
  const auto asked = [&](const rules::Rule& rule, Extent extent) {
    const bool whole = extent == Extent::page;
    for (const std::string& word : options.words) {
      if (rules::meant(rule, word) && whole == (word.size() > 3)) {
        return true;
      }
    }
    return options.words.empty() && !whole;
  };
  for (const rules::Rule* rule : rules::catalog()) {
    if (options.format == "jsonl") {
      if (asked(*rule, Extent::line) || asked(*rule, Extent::page)) {
        report::json_rule(output.buffer(), *rule, asked(*rule, Extent::page));
      }
    } else if (asked(*rule, Extent::page)) {
      report::text_rule(output.buffer(), *rule, style);
    } else if (asked(*rule, Extent::line)) {
      report::text_rule_line(output.buffer(), *rule, style);
    }
    output.record_done();
  }
  output.close();
  return 0;
}

}  // namespace

void add_rules(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand("rules", "which rules exist; with an id, one rule explained");
  take_list(command->add_option("RULE", options->words, "ids (INV-03), families (INV)"), " ")
      ->allow_extra_args();
  command
      ->add_option("--format", options->format, "text for people, jsonl (one object per line) for programs")
      ->check(one_of({"text", "jsonl"}))
      ->type_name("text|jsonl");
  add_output_option(*command, options->output);
  add_color_option(*command, options->color);
  add_pager_option(*command, options->pager);
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

}  // namespace steertag::cli
