// steertag extract: the frames of findings, RPCs or connections, as a small capture that still shows them.

#include "product/extract.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/counted.h"
#include "commands.h"
#include "configure.h"
#include "extract/surroundings.h"
#include "host/again.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/pcapng_file.h"
#include "host/reading.h"
#include "host/sandbox.h"
#include "host/target.h"
#include "options.h"
#include "product/draft.h"
#include "rpc_options.h"
#include "rule_options.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

// ExtractOptions: what steertag extract is asked for: findings, RPCs, connections, frames.
// product/extract.h says what the options mean together.
struct ExtractOptions : product::ExtractOptions {
  ReadingOptions reading;
  XidTexts xids;
  std::vector<std::string> finding_texts, connection_texts;

  void prepare();  // throws Failure
};

ExtractOptions::OfRule read_finding(const std::string& text) {
  const size_t colon = text.find(':');
  ExtractOptions::OfRule found{.rule = text.substr(0, colon), .frame = {}, .text = text};
  if (!rules::known(found.rule)) {
    throw host::Failure("--finding: " + found.rule + ": no such rule or family; see steertag rules");
  }
  if (colon == std::string::npos) {
    return found;
  }
  uint64_t frame = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, frame);
  if (error != std::errc() || stop != end || frame == 0) {
    throw host::Failure("--finding: " + text + " is not RULE or RULE:FRAME, as in CHK-02:17");
  }
  found.frame = frame;
  return found;
}

// "7", "a2", "#a2"
void read_connection(std::string_view text, ExtractOptions& options) {
  std::string_view digits = text.substr(text.starts_with('#') ? 1 : 0);
  const bool attempt = digits.starts_with('a');
  digits.remove_prefix(attempt ? 1 : 0);
  uint32_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || number == 0) {
    throw host::Failure(fmt::format(
        "--conn: {} is not the number of a connection, or of an attempt, as in a1; see steertag connections",
        text));
  }
  (attempt ? options.attempts : options.filter.connections).push_back(number);
}

void ExtractOptions::prepare() {
  for (const std::string& text : connection_texts) {
    read_connection(text, *this);
  }
  cli::prepare(filter, xids);
  check_rules(policy);
  check_names(choice);
  std::transform(finding_texts.begin(), finding_texts.end(), std::back_inserter(findings), read_finding);
  if (findings.empty() && around.empty() && attempts.empty() && !chooses_rpcs() && !whole_connections()) {
    throw host::Failure(
        "extract: nothing is chosen; --finding, --xid, --conn, --op or --around say what is wanted");
  }
}

void add_extract_options(CLI::App& command, ExtractOptions& options) {
  take_list(command.add_option("--finding", options.finding_texts,
                               "the finding by RULE in FRAME; without FRAME, the first\none"),
            "RULE[:FRAME]");
  take_list(command.add_option("--xid", options.xids, "RPCs with this XID, as in 0x1a2b3c4d"), "XID");
  take_list(command.add_option("--op", options.choice.operations,
                               "RPCs of this operation, as flows has it: READ,\n\"NFSv4 READ\""),
            "OPERATION");
  take_list(command.add_option("--conn", options.connection_texts,
                               "connection N; with --xid or --op, only RPCs of it; aN: what\n"
                               "steertag connections has as not connected"),
            "N");
  take_list(command.add_option("--around", options.around,
                               "this frame, and the RPCs that it belongs to, or else the\nframes next to it"),
            "FRAME")
      ->check(whole("the number of a frame", 1, UINT64_MAX));
}

constexpr size_t kNeighbours = 5;  // frames on either side of one that belongs to nothing

class Extraction {
 public:
  explicit Extraction(const ExtractOptions& options)
      : options_(options),
        again_(options.reading.captures, 2 * options.reading.captures.size(), "extract"),
        choose_first_([this](product::Context& context) {
          return chooser(context, product::ExtractProduct::Pass::first);
        }),
        choose_more_([this](product::Context& context) {
          return chooser(context, product::ExtractProduct::Pass::second);
        }) {
    output_.open(options.reading.output);
    output_.refuse_terminal();
    first_.emplace(options_.reading, choose_first_, output_);
    first_->prepare({});
    if (!options.findings.empty()) {
      second_.emplace(options_.reading, choose_more_, output_);
      second_->prepare({});
      second_->hush();
    }
    if (options.reading.sandbox) {
      host::enter_sandbox({.read_again = options.reading.captures, .folders = output_.folders()});
    }
    first_->open();
    if (second_) {
      second_->open();
    }
  }

  int all() {
    follow(first_);
    if (second_ && !host::interrupted()) {
      follow(second_);
    }
    if (!host::interrupted()) {
      look_around();
    }
    const std::optional<extract::Level> level = host::interrupted() ? std::nullopt : settle();
    if (!level || host::interrupted()) {
      output_.leave();
      host::complain("interrupted: nothing was extracted" + host::given_up());
      return 2;
    }
    draft_->whole() ? write_draft() : copy(*level);
    output_.close();
    report(*level);
    return failed_ ? 2 : 0;
  }

 private:
  std::unique_ptr<product::Product> chooser(product::Context& context, product::ExtractProduct::Pass pass) {
    return std::make_unique<product::ExtractProduct>(context, options_, chosen_, pass);
  }

  void follow(std::optional<host::Reading>& reading) {
    reading->begin();
    reading->read();
    reading->finish();
    if (!reading->interrupted()) {
      failed_ |= reading->failed();
      again_.expect(reading->trace());
      reading->conclude();
      if (&reading == &first_) {
        reading->last_words();
      }
      analyzer_ = reading->context().analyzer_for_reports();
      analyzer_->course = nullptr;
    }
    reading.reset();
  }

  void look_around() {
    choose_neighbours();
    surroundings_.emplace(chosen_, analyzer_->intake().ports);
    again_.each_frame([this](const Frame& frame) { surroundings_->pass(frame); });
    if (surroundings_->full() || chosen_.frames.full()) {
      throw host::Failure("more frames are chosen than can be remembered; choose fewer");
    }
    draft_.emplace(source(), *surroundings_,
                   product::Draft::Asked{chosen_, *analyzer_, options_.policy.settings(options_.reading)});
  }

  product::Draft::Source source() {
    return {.each_frame =
                [this](const product::Draft::Source::What& what) {
                  again_.each_frame([&](const Frame& frame) { what(frame, again_.trace().snaplen()); });
                },
            .stopped = [] { return host::interrupted(); }};
  }

  // Of a frame that was asked for and belongs to no RPC, those next to it.
  void choose_neighbours() {
    if (options_.around.empty()) {
      return;
    }
    std::deque<Stamp> before;
    size_t after = 0;
    bool any = false;
    again_.each_frame([&](const Frame& frame) {
      const bool asked =
          std::find(options_.around.begin(), options_.around.end(), frame.at.number) != options_.around.end();
      any |= asked;
      if (asked && !chosen_.frames.has(frame.at)) {
        after = kNeighbours + 1;
        for (const Stamp& at : before) {
          chosen_.frames.lower(at, 0);
        }
      }
      if (after != 0) {
        chosen_.frames.lower(frame.at, 0);
        --after;
      }
      before.push_back(frame.at);
      if (before.size() > kNeighbours) {
        before.pop_front();
      }
    });
    if (!any && !host::interrupted()) {
      throw host::Failure("--around: the captures have no such frame");
    }
  }

  // The nearest level that shows what was chosen; the draft is of that level then.
  std::optional<extract::Level> settle() {
    for (const extract::Level level : {extract::kItself, extract::kNear, extract::kBetween, extract::kBefore,
                                       extract::kConnection, extract::kHosts, extract::kAll}) {
      const bool shown = draft_->take(level);
      if (host::interrupted()) {
        return std::nullopt;
      }
      if (shown) {
        draft_->leave_out();
        return level;
      }
    }
    host::complain("not all that was chosen shows in a capture of its own; here are the connections");
    draft_->take(extract::kConnection);
    return extract::kConnection;
  }

  void write_draft() {
    host::PcapngFile file(output_, comment());
    for (const product::Draft::Held& held : draft_->frames()) {
      write(file, held.frame, held.snaplen);
    }
    written_ = file.packets();
  }

  void copy(extract::Level level) {
    host::PcapngFile file(output_, comment());
    again_.each_frame([&](const Frame& frame) {
      if (surroundings_->level(frame.at) <= level) {
        write(file, frame, again_.trace().snaplen());
      }
    });
    if (host::interrupted()) {
      throw host::Failure("interrupted: nothing was extracted");
    }
    written_ = file.packets();
  }

  // What had a part in what was chosen, a line each.
  std::string comment() const {
    std::string lines;
    for (const report::PolicyFile& policy : options_.reading.told_by) {
      lines += (lines.empty() ? "" : "\n") + report::policy_text(policy);
    }
    return lines;
  }

  void write(host::PcapngFile& file, const Frame& frame, uint32_t snaplen) const {
    std::string where = fmt::format("frame {}", frame.at.number);
    if (options_.reading.captures.size() > 1) {
      where += " of " + base::printable(options_.reading.captures[frame.at.file]);
    }
    file.put({.interface = file.interface(frame.at, frame.link_type, snaplen),
              .time_ns = frame.at.time_ns,
              .bytes = frame.bytes,
              .original_length = frame.original_length,
              .dropped = frame.dropped,
              .comments = {&where, 1}});
  }

  void report(extract::Level level) const {
    if (!options_.reading.quiet) {
      host::complain(
          fmt::format("{}: {}, {}", base::counted(written_, "frame"),
                      base::counted(chosen_.findings.size(), "finding"),
                      base::counted(chosen_.rpcs_in_all, "RPC")) +
          (level > extract::kConnection ? ", with what other connections have to do with it" : ""));
    }
  }

  const ExtractOptions& options_;
  extract::Chosen chosen_;
  host::Output output_;
  host::Again again_;
  const product::MakeProduct choose_first_, choose_more_;
  std::optional<host::Reading> first_, second_;
  std::optional<Options> analyzer_;
  std::optional<extract::Surroundings> surroundings_;
  std::optional<product::Draft> draft_;
  uint64_t written_ = 0;
  bool failed_ = false;
};

int run_extract(ExtractOptions& options) {
  configure(options.policy, options.reading);
  options.prepare();
  options.reading.threads = 1;  // one hears of all connections, by their numbers
  options.reading.others = 2 * options.reading.captures.size();
  host::watch_interrupts();
  host::refuse_conflicts(options.reading);
  return Extraction(options).all();
}

}  // namespace

void add_extract(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* command =
      app.add_subcommand("extract", "the frames of a finding, an RPC, a connection, as a small capture");
  add_reading_options_of(*command, options->reading, "pcapng");
  command->get_option("--output")->required();
  say_written_whole(*command);
  add_extract_options(*command, *options);
  add_rule_choice(*command, options->policy);
  command->remove_option(command->get_option("--strict"));
  add_config_options(*command, options->policy, options->reading);
  command->callback([options, &chosen] { chosen = [options] { return run_extract(*options); }; });
}

}  // namespace steertag::cli
