// steertag schema: what are the records of --format jsonl made of?

#include "report/schema.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"
#include "host/failure.h"
#include "host/nearest.h"
#include "host/output.h"
#include "options.h"

namespace steertag::cli {
namespace {

struct SchemaOptions {
  std::string record;
  std::string output;
  bool pager = true;
};

int print_schema(const SchemaOptions& options) {
  const std::vector<std::string> records = report::schema_records();
  const bool known = std::find(records.begin(), records.end(), options.record) != records.end();
  if (!options.record.empty() && !known) {
    const std::string meant = host::did_you_mean(options.record, records);
    throw host::Failure(host::shown(options.record) + ": no such record" +
                        (meant.empty() ? "; see steertag schema --help" : meant));
  }
  host::Output output;
  output.open(options.output);
  output.show(host::Output::Form::other,
              options.pager ? host::Output::Paging::wanted : host::Output::Paging::unwanted);
  if (options.record.empty()) {
    report::put(output.buffer(), report::schema());
  } else {
    report::put(output.buffer(), report::schema_of(options.record));
  }
  output.record_done();
  output.close();
  return 0;
}

// With commas between, in lines that fit under the others of the help.
std::string listed(const std::vector<std::string>& words) {
  constexpr size_t kWidth = 95;
  std::string text = "Records:";
  for (const std::string& word : words) {
    text += &word == &words.front() ? "" : ",";
    const size_t line = text.size() - (text.rfind('\n') + 1);
    text += (line + word.size() < kWidth ? " " : "\n  ") + word;
  }
  return text;
}

}  // namespace

void add_schema(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* command = app.add_subcommand("schema", "the JSON Schema of every record of --format jsonl");
  command->add_option("RECORD", options->record, "this kind of record alone, and what it refers to")
      ->option_text(" ");
  add_output_option(*command, options->output);
  add_pager_option(*command, options->pager);
  command->footer(
      "The schema is of draft 2020-12. Every line that any command prints with --format jsonl is valid\n"
      "under it, and it describes every member, with its unit; records have no others.\n" +
      listed(report::schema_records()) +
      ".\n"
      "\n"
      "Examples:\n"
      "  steertag schema                               all of it\n"
      "  steertag schema rpc                           what a line of steertag flows is made of\n"
      "  steertag schema -o steertag.schema.json\n"
      "  steertag schema | jq -r '.\"$defs\".finding.properties | keys[]'");
  command->callback([options, &chosen] { chosen = [options] { return print_schema(*options); }; });
}

}  // namespace steertag::cli
