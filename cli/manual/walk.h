// The description of the command line as plain values, read off the parser that the commands have filled
// (describe.cc): what manual pages and the completions of shells are made from. Nothing that they say is
// written anywhere else, but for which values an option takes where only the work itself tells (kinds_of()).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace steertag::manual {

// What an option or a word of a command line may be.
struct Value {
  enum class Kind : uint8_t { other, words, file, interface };
  std::string name;  // as help has it, "FILE", "text|jsonl"; empty: the option takes none
  Kind kind = Kind::other;
  std::vector<std::string> words;  // all that it can be; those that are so for many have a `set`
  std::string set;                 // "rules", "operations": of Description::sets, instead of `words`
  bool list = false;               // several, with commas between
};

struct Parameter {
  std::vector<std::string> names;  // "-o", "--output"; none: it is a word in its place
  std::string shown;               // what stands behind the names in help: " FILE", " CAPTURE ..."
  std::string usage;               // of a word: "CAPTURE...", "[RULE...]"
  std::string text;
  Value value;
  bool repeats = false;
  bool required = false;
};

struct Command {
  std::string name;  // of the whole: empty
  std::string text, footer;
  std::vector<Parameter> options, words;
};

struct WordList {
  std::string name;
  std::vector<std::string> words;
};

struct Description {
  Command whole;
  std::vector<Command> commands;
  std::vector<WordList> sets;
};

Description walk(CLI::App& app);

}  // namespace steertag::manual
