#include <string>

#include "manual/shells.h"

namespace steertag::manual {
namespace {

using Kind = Value::Kind;

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// What may stand there, as options of `complete`.
std::string fish_action(const Value& value) {
  switch (value.kind) {
    case Kind::file:
      return " -F";
    case Kind::interface:
      return " -a '(command ls /sys/class/net 2>/dev/null) any'";
    case Kind::words: {
      const std::string words = value.set.empty() ? joined(value.words, " ") : "$__steertag_" + value.set;
      return " -a " + fish_quoted(value.list ? "(__fish_append , " + words + ")" : words);
    }
    case Kind::other:
      break;
  }
  return "";
}

std::string line(const Parameter& option, const std::string& when) {
  std::string out = "complete -c steertag -n " + fish_quoted(when);
  for (const std::string& name : option.names) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.name.empty()) {
    out += (option.value.kind == Kind::file ? " -r" : " -x") + fish_action(option.value);
  }
  return out + " -d " + fish_quoted(brief(option.text)) + '\n';
}

}  // namespace

std::string for_fish(const Description& all) {
  std::string out =
      "# Completion of steertag for fish.\n"
      "# Made from the description of the command line: see cli/manual/.\n"
      "\n";
  for (const WordList& set : all.sets) {
    out += "set -g __steertag_" + set.name + ' ' + joined(set.words, " ") + '\n';
  }
  out += "\ncomplete -c steertag -f\n";
  for (const Parameter& option : all.whole.options) {
    out += line(option, "__fish_use_subcommand");
  }
  for (const Command& command : all.commands) {
    out += "complete -c steertag -n __fish_use_subcommand -a " + command.name + " -d " +
           fish_quoted(brief(command.text)) + '\n';
  }
  for (const Command& command : all.commands) {
    const std::string when = "__fish_seen_subcommand_from " + command.name;
    out += '\n';
    for (const Parameter& option : command.options) {
      out += line(option, when);
    }
    if (!command.words.empty() && command.words.front().value.kind != Kind::other) {
      out += "complete -c steertag -n " + fish_quoted(when) + fish_action(command.words.front().value) + '\n';
    }
  }
  return out;
}

}  // namespace steertag::manual
