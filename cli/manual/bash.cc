#include <algorithm>
#include <string>
#include <vector>

#include "manual/shells.h"

namespace steertag::manual {
namespace {

using Kind = Value::Kind;

constexpr const char* kBegin = R"sh(# Completion of steertag for bash.
# Made from the description of the command line: see cli/manual/.

# _steertag_words WORDS [list]: one of these, or several with commas between
_steertag_words() {
  local before=''
  if [[ ${2-} == list ]]; then
    [[ $cur != *,* ]] || before=${cur%,*},
    compopt -o nospace 2>/dev/null
  fi
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur#"$before"}")
}

_steertag_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_steertag_interfaces() {
  _steertag_words "any $(cd /sys/class/net 2>/dev/null && echo *)"
}

)sh";

constexpr const char* kFunction = R"sh(_steertag() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' options='' i
  COMPREPLY=()
  # "--format=text" comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
)sh";

std::string bash_action(const Value& value) {
  switch (value.kind) {
    case Kind::file:
      return "_steertag_files";
    case Kind::interface:
      return "_steertag_interfaces";
    case Kind::words: {
      const std::string words =
          value.set.empty() ? '"' + joined(value.words, " ") + '"' : "\"$_steertag_" + value.set + '"';
      return "_steertag_words " + words + (value.list ? " list" : "");
    }
    case Kind::other:
      break;
  }
  return ":";  // nobody can guess it
}

// The values of options, those alike in one line.
std::string values(const Command& command) {
  std::vector<std::string> actions;
  for (const Parameter& option : command.options) {
    const std::string one = bash_action(option.value);
    if (!option.value.name.empty() && std::find(actions.begin(), actions.end(), one) == actions.end()) {
      actions.push_back(one);
    }
  }
  std::string out;
  for (const std::string& one : actions) {
    std::vector<std::string> names;
    for (const Parameter& option : command.options) {
      if (!option.value.name.empty() && bash_action(option.value) == one) {
        names.insert(names.end(), option.names.begin(), option.names.end());
      }
    }
    out += "        " + joined(names, " | ") + ") " + (one == ":" ? "" : one + "; ") + "return ;;\n";
  }
  return out.empty() ? out : "      case $prev in\n" + out + "      esac\n";
}

std::string names_of(const Command& command) {
  std::vector<std::string> names;
  for (const Parameter& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return joined(names, " ");
}

std::string branch(const Command& command) {
  std::string out =
      "    " + command.name + ")\n" + values(command) + "      options=\"" + names_of(command) + "\"\n";
  if (!command.words.empty()) {
    out += "      [[ $cur == -* ]] || " + bash_action(command.words.front().value) + "\n";
  }
  return out + "      ;;\n";
}

}  // namespace

std::string for_bash(const Description& all) {
  std::string out = kBegin;
  for (const WordList& set : all.sets) {
    out += "_steertag_" + set.name + "=\"" + joined(set.words, " ") + "\"\n";
  }
  out += '\n' + std::string(kFunction) + "  case $command in\n    '')\n";
  std::vector<std::string> names;
  for (const Command& command : all.commands) {
    names.push_back(command.name);
  }
  out += "      options=\"" + names_of(all.whole) + "\"\n      [[ $cur == -* ]] || _steertag_words \"" +
         joined(names, " ") + "\"\n      ;;\n";
  for (const Command& command : all.commands) {
    out += branch(command);
  }
  return out +
         "  esac\n"
         "  [[ $cur != -* ]] || _steertag_words \"$options\"\n"
         "}\n"
         "\n"
         "complete -F _steertag steertag\n";
}

}  // namespace steertag::manual
