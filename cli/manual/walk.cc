#include "manual/walk.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "help.h"
#include "report/schema.h"
#include "report/select.h"
#include "rules/catalog.h"

namespace steertag::manual {
namespace {

using Kind = Value::Kind;

// By what help calls a value: what its words are, where the parser does not know.
struct KindOf {
  std::string_view name;
  Kind kind = Kind::other;
  std::string_view set;
};
constexpr std::array kKinds = std::to_array<KindOf>({
    {"FILE", Kind::file, ""},
    {"CAPTURE", Kind::file, ""},
    {"BEFORE", Kind::file, ""},
    {"AFTER", Kind::file, ""},
    {"RECORDS", Kind::file, ""},
    {"SCENARIO", Kind::file, ""},
    {"INTERFACE", Kind::interface, ""},
    {"RULE", Kind::words, "rules"},
    {"RULES", Kind::words, "rules"},
    {"RULE[:FRAME]", Kind::words, "rules"},
    {"OPERATION", Kind::words, "operations"},
    {"PROCEDURE", Kind::words, "procedures"},
    {"RECORD", Kind::words, "records"},
});

// The list of words that one_of() (options.h) checks it by; none where something else does.
std::vector<std::string> words_of(CLI::Option& option) {
  for (int i = 0;; ++i) {
    try {
      const std::string& name = option.get_validator(i)->get_name();
      if (!name.empty()) {
        const std::vector<std::string_view> words = cli::split(name, '|');
        return {words.begin(), words.end()};
      }
    } catch (const CLI::OptionNotFound&) {  // that was the last
      return {};
    }
  }
}

Value value_of(CLI::Option& option, std::string name) {
  constexpr std::string_view kMore = " ...";
  if (name.ends_with(kMore)) {
    name.erase(name.size() - kMore.size());
  }
  Value value;
  value.name = name;
  value.list = option.get_delimiter() == ',';
  value.words = words_of(option);
  if (!value.words.empty()) {
    value.kind = Kind::words;
    return value;
  }
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const KindOf& kind) { return kind.name == name; });
  if (found != kKinds.end()) {
    value.kind = found->kind;
    value.set = found->set;
  }
  return value;
}

Parameter option_of(CLI::Option& described) {
  const cli::Help help;
  Parameter option;
  option.shown = CLI::detail::trim_copy(help.make_option_opts(&described));
  option.text = cli::without_breaks(described.get_description());
  option.required = described.get_required();
  option.repeats = described.get_items_expected_max() > 1;
  if (described.get_positional()) {
    option.usage = help.make_option_usage(&described);
    option.value = value_of(described, described.get_name(true, false));
    return option;
  }
  for (const std::string& name : described.get_snames()) {
    option.names.push_back("-" + name);
  }
  for (const std::string& name : described.get_lnames()) {
    option.names.push_back("--" + name);
  }
  if (described.get_type_size() != 0) {
    option.value = value_of(described, option.shown);
  }
  return option;
}

Command command_of(CLI::App& described, const std::string& name) {
  Command command{name, cli::without_breaks(described.get_description()), described.get_footer(), {}, {}};
  for (CLI::Option* const one : described.get_options()) {
    Parameter option = option_of(*one);
    (option.names.empty() ? command.words : command.options).push_back(std::move(option));
  }
  return command;
}

// Names without a blank, for which no shell needs quotes, each once.
std::vector<std::string> plain(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) { return name.find(' ') != std::string::npos; });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> families_and_rules() {
  std::vector<std::string> names;
  for (const rules::Rule* rule : rules::catalog()) {
    names.emplace_back(rule->id);
    names.emplace_back(rules::family(*rule));
  }
  return plain(names);
}

}  // namespace

Description walk(CLI::App& app) {
  Description all{command_of(app, ""),
                  {},
                  {{"rules", families_and_rules()},
                   {"operations", plain(report::operation_names())},
                   {"procedures", plain(report::procedure_names())},
                   {"records", report::schema_records()}}};
  for (CLI::App* const command : app.get_subcommands({})) {
    all.commands.push_back(command_of(*command, command->get_name()));
  }
  return all;
}

}  // namespace steertag::manual
