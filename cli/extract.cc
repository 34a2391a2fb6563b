// steertag extract: the frames of findings, RPCs or connections, as a small capture that still shows them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "again.h"
#include "base/counted.h"
#include "chooser.h"
#include "commands.h"
#include "configure.h"
#include "extract/proof.h"
#include "extract/reduce.h"
#include "extract/surroundings.h"
#include "extract_options.h"
#include "failure.h"
#include "interrupt.h"
#include "output.h"
#include "pcapng_file.h"
#include "reading.h"
#include "sandbox.h"
#include "target.h"

namespace steertag::cli {
namespace {

using extract::Level;

// A frame of the extract, kept.
struct Held {
  Frame frame;  // its bytes are `bytes`
  std::vector<uint8_t> bytes;
  uint32_t snaplen = 0;
  Level level = extract::kItself;
};

// How much of an extract is kept, so that what it can do without is found. A larger one is copied as it is.
constexpr size_t kMostHeldFrames = 16384, kMostHeldBytes = 64 << 20;
constexpr size_t kMostTests = 400,
                 kMostTested = 300'000;  // audits of parts of it, and frames in all of these
constexpr size_t kNeighbours = 5;        // frames on either side of one that belongs to nothing

class Extraction {
 public:
  explicit Extraction(const ExtractOptions& options)
      : options_(options),
        again_(options.reading.captures, 2 * options.reading.captures.size(), "extract"),
        choose_first_([this](Context& context) { return chooser(context, Chooser::Pass::first); }),
        choose_more_([this](Context& context) { return chooser(context, Chooser::Pass::second); }) {
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
      enter_sandbox({.read_again = options.reading.captures, .folders = output_.folders()});
    }
    first_->open();
    if (second_) {
      second_->open();
    }
  }

  int all() {
    follow(first_);
    if (second_ && !interrupted()) {
      follow(second_);
    }
    if (!interrupted()) {
      look_around();
    }
    const std::optional<Level> level = interrupted() ? std::nullopt : settle();
    if (!level || interrupted()) {
      output_.leave();
      complain("interrupted: nothing was extracted" + given_up());
      return 2;
    }
    held_.empty() ? copy(*level) : write_held();
    output_.close();
    report(*level);
    return failed_ ? 2 : 0;
  }

 private:
  std::unique_ptr<Reporter> chooser(Context& context, Chooser::Pass pass) {
    return std::make_unique<Chooser>(context, options_, chosen_, pass);
  }

  void follow(std::optional<Reading>& reading) {
    reading->begin();
    reading->read();
    reading->finish();
    if (!reading->interrupted()) {
      failed_ |= reading->failed();
      again_.expect(reading->trace());
      reading->reporter().end({.counters = reading->counters(), .cut = reading->cut()});
      if (&reading == &first_) {
        reading->last_words();
      }
      analyzer_ = reading->context().analyzer();
      analyzer_->course = nullptr;
    }
    reading.reset();
  }

  void look_around() {
    choose_neighbours();
    surroundings_.emplace(chosen_, analyzer_->intake().ports);
    again_.each_frame([this](const Frame& frame) { surroundings_->pass(frame); });
    if (surroundings_->full() || chosen_.frames.full()) {
      throw Failure("more frames are chosen than can be remembered; choose fewer");
    }
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
    if (!any && !interrupted()) {
      throw Failure("--around: the captures have no such frame");
    }
  }

  // The nearest level that shows what was chosen; where the extract is small, it is in held_ then.
  std::optional<Level> settle() {
    for (const Level level : {extract::kItself, extract::kNear, extract::kBetween, extract::kBefore,
                              extract::kConnection, extract::kHosts, extract::kAll}) {
      const bool shown = try_level(level);
      if (interrupted()) {
        return std::nullopt;
      }
      if (shown) {
        if (!held_.empty() && level != extract::kItself) {
          leave_out();
        }
        return level;
      }
    }
    complain("not all that was chosen shows in a capture of its own; here are the connections");
    try_level(extract::kConnection);
    return extract::kConnection;
  }

  bool try_level(Level level) {
    held_.clear();
    size_t bytes = 0, frames = 0;
    Trial trial(*this);
    again_.each_frame([&](const Frame& frame) {
      const Level own = surroundings_->level(frame.at);
      if (own > level) {
        return;
      }
      const uint32_t snaplen = again_.trace().snaplen(frame);
      trial.feed(frame, snaplen);
      bytes += frame.bytes.size();
      if (++frames <= kMostHeldFrames && bytes <= kMostHeldBytes) {
        Held& held = held_.emplace_back(Held{frame, {frame.bytes.begin(), frame.bytes.end()}, snaplen, own});
        held.frame.bytes = held.bytes;
      }
    });
    if (held_.size() != frames) {
      held_.clear();
    }
    return trial.finish();
  }

  // An audit of frames as they will stand in the extract.
  class Trial {
   public:
    explicit Trial(const Extraction& of)
        : proof_(of.chosen_, *of.analyzer_, of.options_.rules.settings(of.options_.reading)) {}
    void feed(Frame frame, uint32_t snaplen) {
      const Stamp original = frame.at;
      const auto tap =
          taps_.try_emplace({original.file, original.tap, frame.link_type, snaplen}, taps_.size()).first;
      frame.at = {.number = ++frames_,
                  .file = 0,
                  .tap = static_cast<uint32_t>(tap->second),
                  .time_ns = original.time_ns};
      proof_.feed(frame, original);
    }
    bool finish() { return proof_.finish(); }

   private:
    extract::Proof proof_;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, size_t> taps_;
    uint64_t frames_ = 0;
  };

  // Of the frames that are there for what they show of the rest, those that are not needed.
  void leave_out() {
    std::vector<size_t> places;  // in held_, of those that may go
    for (size_t i = 0; i < held_.size(); ++i) {
      if (held_[i].level != extract::kItself) {
        places.push_back(i);
      }
    }
    const size_t tests = std::min(kMostTests, kMostTested / held_.size());
    const std::vector<bool> kept = extract::reduce(places.size(), tests, [&](const std::vector<bool>& trial) {
      return !interrupted() && shows(places, trial);
    });
    std::vector<bool> stays(held_.size(), true);
    for (size_t i = 0; i < places.size(); ++i) {
      stays[places[i]] = kept[i];
    }
    std::vector<Held> left;
    for (size_t i = 0; i < held_.size(); ++i) {
      if (stays[i]) {
        left.push_back(std::move(held_[i]));
      }
    }
    held_ = std::move(left);
  }

  bool shows(const std::vector<size_t>& places, const std::vector<bool>& kept) const {
    Trial trial(*this);
    size_t next = 0;
    for (size_t i = 0; i < held_.size(); ++i) {
      const bool may_go = next < places.size() && places[next] == i;
      if (!may_go || kept[next]) {
        trial.feed(held_[i].frame, held_[i].snaplen);
      }
      next += may_go ? 1 : 0;
    }
    return trial.finish();
  }

  void write_held() {
    PcapngFile file(output_, {});
    for (const Held& held : held_) {
      write(file, held.frame, held.snaplen);
    }
    written_ = file.packets();
  }

  void copy(Level level) {
    PcapngFile file(output_, {});
    again_.each_frame([&](const Frame& frame) {
      if (surroundings_->level(frame.at) <= level) {
        write(file, frame, again_.trace().snaplen(frame));
      }
    });
    if (interrupted()) {
      throw Failure("interrupted: nothing was extracted");
    }
    written_ = file.packets();
  }

  void write(PcapngFile& file, const Frame& frame, uint32_t snaplen) const {
    std::string where = fmt::format("frame {}", frame.at.number);
    if (options_.reading.captures.size() > 1) {
      where += " of " + base::printable(options_.reading.captures[frame.at.file]);
    }
    file.put({.interface = file.interface(frame.at, frame.link_type, snaplen),
              .time_ns = frame.at.time_ns,
              .bytes = frame.bytes,
              .original_length = frame.original_length,
              .comments = {&where, 1}});
  }

  void report(Level level) const {
    if (!options_.reading.quiet) {
      complain(fmt::format("{}: {}, {}", base::counted(written_, "frame"),
                           base::counted(chosen_.findings.size(), "finding"),
                           base::counted(chosen_.rpcs_in_all, "RPC")) +
               (level > extract::kConnection ? ", with what other connections have to do with it" : ""));
    }
  }

  const ExtractOptions& options_;
  extract::Chosen chosen_;
  Output output_;
  Again again_;
  const MakeReporter choose_first_, choose_more_;
  std::optional<Reading> first_, second_;
  std::optional<Options> analyzer_;
  std::optional<extract::Surroundings> surroundings_;
  std::vector<Held> held_;
  uint64_t written_ = 0;
  bool failed_ = false;
};

int run_extract(ExtractOptions& options) {
  configure(options.rules, options.reading);
  options.prepare();
  options.reading.threads = 1;  // one hears of all connections, by their numbers
  options.reading.others = 2 * options.reading.captures.size();
  watch_interrupts();
  refuse_inputs(options.reading.output, options.reading.captures);
  return Extraction(options).all();
}

}  // namespace

void add_extract(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* command =
      app.add_subcommand("extract", "the frames of a finding, an RPC, a connection, as a small capture");
  add_reading_options_of(*command, options->reading, "pcapng");
  command->get_option("--output")->required();
  add_extract_options(*command, *options);
  add_rule_choice(*command, options->rules);
  command->remove_option(command->get_option("--strict"));
  add_config_options(*command, options->rules);
  command->footer(
      "What several options choose is put together. Written are, as a pcapng and in order of time, with\n"
      "their times, link types and snap lengths: the setup of the connection; Call and Reply; the RDMA\n"
      "Reads and Writes between them; the frames that a finding names; and the ACKs of all these. A\n"
      "comment on each frame has its number in the capture.\n"
      "\n"
      "The extract is audited before it is written: it has the same finding, to the word. Where those\n"
      "frames do not show it, more are added: those next to them, between them, before them, the\n"
      "connection, all between its hosts, all; then what can be left out again is. NET-01 may say of the\n"
      "rest that it is missing. With other options for the rules (--profile, --checksums), audit the\n"
      "extract with the same.\n"
      "\n"
      "Exit status: 0 written, 2 could not do the work.\n"
      "\n"
      "Examples:\n"
      "  steertag extract --finding CHK-02:1742 nfs.pcap -o finding.pcapng\n"
      "  steertag extract --finding INV nfs.pcap -o first.pcapng\n"
      "  steertag extract --xid 0x1a2b3c4d ring*.pcap.gz -o rpc.pcapng\n"
      "  steertag extract --op RENAME --conn 3 nfs.pcap -o renames.pcapng\n"
      "  steertag extract --around 1742 nfs.pcap -o - | tshark -r -");
  command->callback([options, &chosen] { chosen = [options] { return run_extract(*options); }; });
}

}  // namespace steertag::cli
