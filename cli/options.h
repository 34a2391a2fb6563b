// Options: what the commands that read captures have in common on their command
// line, and how it is read from there. Each command adds its own beside them.
//
// The names are an interface: CI jobs are written against them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer.h"
#include "live_options.h"
#include "report/palette.h"
#include "report/policy_file.h"
#include "shard.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace steertag::cli {

class Output;

struct ReadingOptions {
  std::vector<std::string> captures;  // paths, "-" for standard input
  size_t others = 0;                  // captures of another trace that are open at the same time
  LiveOptions live;                   // and its interface the one capture, where it is captured now
  RingOptions ring;                   // where it is
  std::string format = "text";        // one of add_reading_options()
  std::string output;                 // -o; empty: standard output
  std::string color = "auto";         // auto, always, never
  std::vector<uint16_t> ports, udp_ports, vxlan_ports, geneve_ports;  // beside the usual ones
  bool checksums = false;
  bool quiet = false;
  bool allow_cut = false;  // a truncated capture is not a failure
  double settle = 30;      // seconds
  std::optional<double> skew_ms;
  uint64_t memory = Options::kDefaultMemory;  // bytes
  static constexpr uint32_t kMostThreads = 256;
  uint32_t threads = 0;  // 0: as many as there are cores

  static constexpr const char* kRing = "ring";  // what is written into the ring's files: ring.h
  // What --report asks for: the same, in another form, into a file beside the output.
  struct Report {
    std::string format, path;
    // Its records are written as they come; otherwise, when all is known.
    bool streams() const { return streamed(format); }
  };
  static bool streamed(const std::string& format) {
    return format == "text" || format == "jsonl" || format == kRing || format == "perfetto" ||
           format == "otlp";
  }
  std::vector<Report> reports;

  // What the configuration says, and the files that were read to know what to do (configure.h).
  std::string configured;
  std::vector<report::PolicyFile> told_by;

  // Only the connections of one of so many shares; from 1.
  std::optional<Shard> shard;
  bool pager = false;                 // where git would use one (pages())
  bool sandbox = true;                // read nothing before most rights are given up
  const CLI::App* command = nullptr;  // whose options they are

  // What was asked for, but for the share, the threads and where the output goes.
  std::string run() const;
  std::vector<std::string> outputs() const;  // names of files that it writes, "" and "-": standard output
  bool jsonl() const { return format == "jsonl"; }
  // Whether a pager is wanted for the result. What comes in by a pipe may be live, and is shown as it comes.
  bool pages() const;
  Options analyzer() const;
  // Colours, where asked for; with "auto" on a terminal, unless NO_COLOR is set
  // or TERM is "dumb".
  report::Palette palette(bool terminal) const;
};

// How the result is shown on a terminal: Output::show().
void show(Output& output, const ReadingOptions& options);

// Lets an option take one value or several: --port 2050,2051, --select "INV, CRD".
// Blanks around each are dropped. The word after the value is not consumed: it may
// be the capture. Help calls the value `value`.
CLI::Option* take_list(CLI::Option* option, const std::string& value);

// A whole number within a range; `what` names it, as in "a port".
CLI::Validator whole(const std::string& what, uint64_t least, uint64_t most);

// One of these words. Their list, with | between, is its name: for shells that complete it (manual/walk.h).
CLI::Validator one_of(const std::vector<std::string>& words);

// A number of bytes, with K, M or G behind it for 2^10, 2^20, 2^30 of them: 64M.
CLI::Validator size_in_bytes(uint64_t least, uint64_t most);

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

// Which RPCs and messages are wanted. An empty list means all.
struct Filter {
  std::vector<uint32_t> connections;   // numbers
  std::vector<std::string> xid_texts;  // as given: decimal, or 0x and hex
  std::vector<uint32_t> xids;          // the same, read by prepare()

  void prepare();  // throws Failure where one is not an XID
  // A sentence about a connection that was asked for and is not among the announced ones (their numbers).
  std::optional<std::string> missing(const std::vector<uint32_t>& announced) const;
  // Complains about it.
  bool all_exist(const std::vector<uint32_t>& announced) const;
  bool wants_connection(uint32_t number) const;
  bool wants_xid(uint32_t xid) const;
};

void add_filter_options(CLI::App& command, Filter& filter);

}  // namespace steertag::cli
