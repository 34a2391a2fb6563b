#include <string>

#include "manual/shells.h"

namespace steertag::manual {
namespace {

using Kind = Value::Kind;

// Between apostrophes.
std::string zsh_quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

// Within a specification of _arguments, whose parts have colons between.
std::string escaped(std::string text) {
  for (const char* const special : {"\\", ":", "[", "]"}) {
    text = replaced(text, special, std::string("\\") + special);
  }
  return text;
}

std::string zsh_action(const Value& value) {
  const std::string several = value.list ? "_sequence " : "";
  switch (value.kind) {
    case Kind::file:
      return "_files";
    case Kind::interface:
      return "_net_interfaces";
    case Kind::words:
      if (!value.set.empty()) {
        return several + "compadd - $_steertag_" + value.set;
      }
      return value.list ? several + "compadd - " + joined(value.words, " ")
                        : '(' + joined(value.words, " ") + ')';
    case Kind::other:
      break;
  }
  return " ";  // nobody can guess it
}

// A word in its place, or the value of an option.
std::string value_spec(const Value& value) {
  return ':' + escaped(value.name) + ':' + zsh_action(value);
}

std::string spec(const Parameter& option) {
  if (option.names.empty()) {
    return zsh_quoted((option.repeats ? "*" : option.required ? "" : ":") + value_spec(option.value));
  }
  const bool takes = !option.value.name.empty();
  const std::string end =
      zsh_quoted('[' + escaped(brief(option.text)) + ']' + (takes ? value_spec(option.value) : ""));
  std::string out;
  for (const std::string& name : option.names) {
    const std::string taken = takes ? name.starts_with("--") ? "=" : "+" : "";
    const std::string alone =
        option.repeats || option.value.list ? "*" : '(' + joined(option.names, " ") + ')';
    out.append(out.empty() ? "" : " ").append(zsh_quoted(alone)).append(name).append(taken).append(end);
  }
  return out;
}

std::string arguments(const Command& command, const std::string& indent) {
  std::string out;
  for (const Parameter& option : command.options) {
    out += " \\\n" + indent + spec(option);
  }
  for (const Parameter& word : command.words) {
    out += " \\\n" + indent + spec(word);
  }
  return out;
}

}  // namespace

std::string for_zsh(const Description& all) {
  std::string out =
      "#compdef steertag\n"
      "# Completion of steertag for zsh.\n"
      "# Made from the description of the command line: see cli/manual/.\n"
      "\n";
  for (const WordList& set : all.sets) {
    out += "typeset -ga _steertag_" + set.name + "=(" + joined(set.words, " ") + ")\n";
  }
  out +=
      "\n"
      "_steertag() {\n"
      "  local curcontext=$curcontext state\n"
      "  local -a line commands\n"
      "  typeset -A opt_args\n"
      "  _arguments -C" +
      arguments(all.whole, "    ") +
      " \\\n    '1:command:->command' \\\n    '*:: :->words'\n"
      "  case $state in\n"
      "    command)\n"
      "      commands=(\n";
  for (const Command& command : all.commands) {
    out += "        " + zsh_quoted(command.name + ':' + replaced(brief(command.text), ":", "\\:")) + '\n';
  }
  out +=
      "      )\n"
      "      _describe command commands\n"
      "      ;;\n"
      "    words)\n"
      "      case $words[1] in\n";
  for (const Command& command : all.commands) {
    out += "        " + command.name + ")\n          _arguments -s" + arguments(command, "            ") +
           "\n          ;;\n";
  }
  return out +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         "\n"
         "if [[ $funcstack[1] == _steertag ]]; then\n"
         "  _steertag \"$@\"\n"
         "else\n"
         "  compdef _steertag steertag\n"
         "fi\n";
}

}  // namespace steertag::manual
