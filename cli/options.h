// Options: what the commands that read captures have in common on their command
// line, and how it is read from there. Each command adds its own beside them.
//
// The names are an interface: CI jobs are written against them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/run_options.h"
#include "report/known.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace steertag::cli {

// Where a product::Policy comes from, besides the options that are its members.
struct PolicySources {
  bool no_config = false;                // no configuration is looked for
  std::vector<std::string> baselines;    // paths, or names of profiles; configure() makes them paths
  std::vector<report::Known> own_known;  // by the configuration itself
};

struct ReadingOptions : host::RunOptions {
  PolicySources sources;
  std::string configured;             // what the configuration says (configure.h)
  const CLI::App* command = nullptr;  // whose options they are

  // What was asked for, but for the share, the threads and where the output goes.
  std::string run() const;
};

// Lets an option take one value or several: --port 2050,2051, --select "INV, CRD".
// Blanks around each are dropped. The word after the value is not consumed: it may
// be the capture. Help calls the value `value`.
CLI::Option* take_list(CLI::Option* option, const std::string& value);

// A whole number within a range; `what` names it, as in "a port".
CLI::Validator whole(const std::string& what, uint64_t least, uint64_t most);

// A number, not negative and not absurd.
CLI::Validator non_negative();

// One of these words. Their list, with | between, is its name: for shells that complete it (manual/walk.h).
CLI::Validator one_of(const std::vector<std::string>& words);

// A number of bytes, with K, M or G behind it for 2^10, 2^20, 2^30 of them: 64M.
CLI::Validator size_in_bytes(uint64_t least, uint64_t most);

// -o, of every command that prints something.
void add_output_option(CLI::App& command, std::string& output);
void add_color_option(CLI::App& command, std::string& color);

// --no-pager, of every command whose result people read; `pager` is true without it.
void add_pager_option(CLI::App& command, bool& pager);

// --no-sandbox, of every command that reads something.
void add_sandbox_option(CLI::App& command, bool& sandbox);

// Whether a command reads one trace, or says itself which captures it reads.
enum class Captures : uint8_t { one_trace, by_command };
// `formats` are those of --format, of which the first is the default.
void add_reading_options(CLI::App& command, ReadingOptions& options,
                         const std::vector<std::string>& formats = {"text", "jsonl"},
                         Captures captures = Captures::one_trace);

// Of a command that writes one form alone, for who reads all of it: no --format, --shard or --color.
void add_reading_options_of(CLI::App& command, ReadingOptions& options, const std::string& format);

// Of a command that has no result before all is read, so that an interrupted run writes nothing: what
// --allow-cut is for then.
void say_written_whole(CLI::App& command);

}  // namespace steertag::cli
