// steertag sanitize: a capture that others may see, without the data, names and addresses in it.

#include <sys/random.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/counted.h"
#include "base/units.h"
#include "commands.h"
#include "host/again.h"
#include "host/config_file.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/pcapng_file.h"
#include "host/progress.h"
#include "host/sandbox.h"
#include "options.h"
#include "rules/accusations.h"
#include "sanitize/rewriter.h"
#include "sanitize/survey.h"

namespace steertag::cli {
namespace {

struct SanitizeOptions {
  ReadingOptions reading;
  std::string key;  // a file, "-" for standard input; empty: a new one
};

constexpr size_t kLeastKey = 16;  // bytes: fewer could be guessed

sanitize::Key new_key() {
  std::array<uint8_t, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw host::Failure("no random numbers for a key; --key names one");
  }
  return sanitize::Key::of(bytes);
}

sanitize::Key read_key(const std::string& path) {
  const std::string text = host::read_file(path == "-" ? "/dev/stdin" : path, host::Named::by_user);
  if (text.size() < kLeastKey) {
    throw host::Failure(fmt::format("--key: {} has {}; a key has {} or more", host::shown(path),
                                    base::counted(text.size(), "byte"), kLeastKey));
  }
  return sanitize::Key::of(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

class Sanitizing {
 public:
  explicit Sanitizing(const SanitizeOptions& options)
      : options_(options.reading),
        key_(options.key.empty() ? new_key() : read_key(options.key)),
        again_(options_.captures, 0, "sanitize"),
        progress_(!options_.quiet),
        plan_(key_, options_.memory),
        before_(audited()) {
    output_.open(options_.output);
    output_.refuse_terminal();
    if (options_.sandbox) {
      host::enter_sandbox({.read_again = options_.captures, .folders = output_.folders()});
    }
  }

  int all() {
    progress_.begin();
    survey();
    if (!host::interrupted()) {
      prove();
    }
    if (!host::interrupted()) {
      write();
    }
    progress_.hide();
    if (host::interrupted()) {
      output_.leave();
      host::complain("interrupted: nothing was sanitized" + host::given_up());
      return 2;
    }
    output_.close();
    report();
    const host::Trace& trace = again_.trace();
    return trace.damaged() || trace.foreign() || (trace.cut() && !options_.allow_cut) ? 2 : 0;
  }

 private:
  void survey() {
    Options surveyed = options_.analyzer();
    surveyed.memory -= (rules::Accusations::kAudits + 1) * audited().memory;
    sanitize::Survey survey(key_, surveyed, plan_);
    again_.each_frame_first([&](const Frame& frame) {
      survey.feed(frame);
      before_.feed(frame);
      show_progress(0);
    });
    survey.finish();
    before_.finish();
    hidden_ = survey.hidden();
    if (plan_.full() || before_.full()) {
      throw host::Failure(fmt::format(
          "{} of memory are not enough for what these captures hold of RPCs and findings; --memory "
          "allows more, or sanitize captures of different connections one by one with the same --key",
          base::size_text(options_.memory)));
    }
  }

  // Audits what is to be written, before it is. Where that finds more than before, the hosts are withheld.
  void prove() {
    const auto found =
        rules::find_cuts(before_, audited(), [this](std::set<uint64_t>& cuts, rules::Accusations& after) {
          sanitize::Rewriter rewriter = this->rewriter(cuts);
          std::vector<uint8_t> bytes;
          again_.each_frame([&](Frame frame) {
            rewriter.rewrite(frame, bytes);
            frame.bytes = bytes;
            after.feed(frame);
            show_progress(again_.trace().size());
          });
          cuts.insert(rewriter.earlier_cuts().begin(), rewriter.earlier_cuts().end());
          return !host::interrupted();
        });
    if (!found && !host::interrupted()) {
      throw host::Failure("an audit would say more of the result than of the captures: nothing was written");
    }
    cuts_ = found.value_or(std::set<uint64_t>());
  }

  void write() {
    sanitize::Rewriter rewriter = this->rewriter(cuts_);
    host::PcapngFile file(output_, {});
    std::vector<uint8_t> bytes;
    again_.each_frame([&](const Frame& frame) {
      rewriter.rewrite(frame, bytes);
      file.put({.interface = file.interface(frame.at, frame.link_type, again_.trace().snaplen()),
                .time_ns = frame.at.time_ns,
                .bytes = bytes,
                .original_length = frame.original_length,
                .dropped = frame.dropped});
      show_progress(2 * again_.trace().size());
    });
    file.finish(again_.trace().dropped_behind());
    said_ = fmt::format(
        "{}: {} mapped, {} overwritten", base::counted(file.packets(), "frame"),
        rewriter.addresses() == 1 ? "1 address" : fmt::format("{} addresses", rewriter.addresses()),
        base::counted(rewriter.overwritten(), "byte"));
    if (hidden_ != 0) {
      said_ += fmt::format("; {} hidden from {} first fault on", base::counted(hidden_, "message"),
                           hidden_ == 1 ? "its" : "their");
    }
    if (rewriter.damaged() != 0) {
      said_ += fmt::format("; the content of {} with a wrong checksum overwritten",
                           base::counted(rewriter.damaged(), "packet"));
    }
    if (rewriter.withheld() != 0) {
      said_ += fmt::format("; {} withheld, since an audit would say more about them than before",
                           base::counted(rewriter.withheld(), "frame"));
    }
    if (rewriter.fragments() != 0) {
      said_ += fmt::format("; {}, of which nothing but the headers is left",
                           base::counted(rewriter.fragments(), "IP fragment"));
    }
  }

  sanitize::Rewriter rewriter(const std::set<uint64_t>& cuts) const {
    return {key_, options_.analyzer().intake().ports, plan_, cuts};
  }
  // There are several audits at a time, beside the survey.
  Options audited() const {
    Options options = options_.analyzer();
    options.memory /= 8;
    return options;
  }

  void show_progress(uint64_t before) {
    if (progress_.due()) {
      progress_.show(before + again_.trace().position(), 3 * again_.trace().size());
    }
  }

  void report() const {
    if (!options_.quiet) {
      host::complain(said_);
    }
  }

  const ReadingOptions& options_;
  const sanitize::Key key_;
  host::Output output_;
  host::Again again_;
  host::Progress progress_;
  sanitize::Plan plan_;
  rules::Accusations before_;
  std::set<uint64_t> cuts_;
  uint64_t hidden_ = 0;  // messages of which what is behind a fault was not kept
  std::string said_;
};

int run_sanitize(SanitizeOptions& options) {
  host::watch_interrupts();
  std::vector<std::string> inputs = options.reading.captures;
  if (!options.key.empty()) {
    inputs.push_back(options.key);
  }
  host::refuse_conflicts(inputs, {options.reading.output});
  return Sanitizing(options).all();
}

}  // namespace

void add_sanitize(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<SanitizeOptions>();
  CLI::App* command =
      app.add_subcommand("sanitize", "the capture without the data, names and addresses in it, for others");
  add_reading_options_of(*command, options->reading, "pcapng");
  command->get_option("--output")->required();
  say_written_whole(*command);
  for (const char* option : {"--checksums", "--settle", "--skew", "--threads"}) {
    command->remove_option(command->get_option(option));
  }
  command
      ->add_option(
          "--key", options->key,
          "make new values with what FILE holds (\"-\": standard input),\n16 bytes or more; else with a new "
          "key")
      ->type_name("FILE");
  command->callback([options, &chosen] { chosen = [options] { return run_sanitize(*options); }; });
}

}  // namespace steertag::cli
