// steertag annotate: a capture with what an audit finds as comments on its frames, for Wireshark.

#include "product/annotate.h"

#include <CLI/CLI.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/counted.h"
#include "capture/annotation.h"
#include "commands.h"
#include "configure.h"
#include "host/again.h"
#include "host/conflicts.h"
#include "host/failure.h"
#include "host/interrupt.h"
#include "host/output.h"
#include "host/pcapng_file.h"
#include "host/reading.h"
#include "host/sandbox.h"
#include "host/target.h"
#include "rule_options.h"

namespace steertag::cli {
namespace {

struct AnnotateOptions {
  ReadingOptions reading;
  product::Policy policy;
  bool several() const { return reading.captures.size() > 1; }
};

class Annotating {
 public:
  explicit Annotating(const AnnotateOptions& options)
      : options_(options),
        again_(options.reading.captures, options.reading.captures.size(), "annotate"),
        make_([this](product::Context& context) {
          return std::make_unique<product::AnnotateProduct>(context, options_.policy, options_.several());
        }) {
    output_.open(options.reading.output);
    output_.refuse_terminal();
    reading_.emplace(options_.reading, make_, output_);
    reading_->prepare({});
    if (options.reading.sandbox) {
      host::enter_sandbox({.read_again = options.reading.captures, .folders = output_.folders()});
    }
    reading_->open();
  }

  int all() {
    reading_->begin();
    reading_->read();
    reading_->finish();
    reading_->conclude();
    const bool failed = reading_->failed();
    again_.expect(reading_->trace());
    const product::Comments& comments =
        static_cast<product::AnnotateProduct&>(reading_->product()).comments();
    if (!host::interrupted()) {
      options_.several() ? merge(comments) : copy(comments);
    }
    if (host::interrupted()) {
      output_.leave();
      host::complain("interrupted: nothing was annotated" + host::given_up());
      return 2;
    }
    output_.close();
    reading_->last_words();
    if (comments.left_out() != 0) {
      host::complain(base::counted(comments.left_out(), "finding") + " found no place among the comments");
    }
    return failed ? 2 : 0;
  }

 private:
  // One capture: block by block.
  void copy(const product::Comments& comments) {
    std::vector<uint8_t> bytes;
    capture::Annotation annotation(bytes, comments.whole);
    again_.trace().on_passed = [&](uint32_t, Bytes piece) {
      annotation.pass(piece);
      write(bytes);
    };
    again_.each_frame([&](const Frame& frame) {
      annotation.frame(frame, again_.trace().record(), comments.of(frame.at), again_.trace().snaplen());
      write(bytes);
      output_.check();
    });
    annotation.finish();
    write(bytes);
    if (annotation.without_comments() != 0) {
      host::complain(base::counted(annotation.without_comments(), "frame") +
                     " too long for comments, copied without");
    }
    if (annotation.blocks_left_out() != 0) {
      host::complain(base::counted(annotation.blocks_left_out(), "block") +
                     " too long to be copied, left out");
    }
  }

  // Several: their frames in order of time, in a section of their own.
  void merge(const product::Comments& comments) {
    std::vector<uint8_t> nowhere;
    std::deque<capture::Annotation> readers;  // by file
    for (size_t i = 0; i < options_.reading.captures.size(); ++i) {
      readers.emplace_back(nowhere, "");
    }
    again_.trace().on_passed = [&](uint32_t file, Bytes piece) {
      readers[file].pass(piece);
      nowhere.clear();
    };
    host::PcapngFile file(output_, comments.whole);
    again_.each_frame([&](const Frame& frame) {
      std::vector<std::string> all = readers[frame.at.file].comments_of(again_.trace().record());
      const std::vector<std::string>& own = comments.of(frame.at);
      all.insert(all.end(), own.begin(), own.end());
      file.put({.interface = file.interface(frame.at, frame.link_type, again_.trace().snaplen()),
                .time_ns = frame.at.time_ns,
                .bytes = frame.bytes,
                .original_length = frame.original_length,
                .dropped = frame.dropped,
                .comments = all});
    });
    file.finish(again_.trace().dropped_behind());
  }

  void write(std::vector<uint8_t>& bytes) {
    report::put(output_.buffer(), Bytes(bytes));
    bytes.clear();
    output_.record_done();
  }

  const AnnotateOptions& options_;
  host::Output output_;
  host::Again again_;
  const product::MakeProduct make_;
  std::optional<host::Reading> reading_;
};

int run_annotate(AnnotateOptions& options) {
  configure(options.policy, options.reading);
  check_rules(options.policy);
  options.reading.others = options.reading.captures.size();
  host::watch_interrupts();
  host::refuse_conflicts(options.reading);
  return Annotating(options).all();
}

}  // namespace

void add_annotate(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<AnnotateOptions>();
  CLI::App* command =
      app.add_subcommand("annotate", "the capture with what an audit finds as comments on its frames");
  add_reading_options_of(*command, options->reading, "pcapng");
  command->get_option("--output")->required();
  say_written_whole(*command);
  add_rule_choice(*command, options->policy);
  command->remove_option(command->get_option("--strict"));
  add_config_options(*command, options->policy, options->reading);
  command->callback([options, &chosen] { chosen = [options] { return run_annotate(*options); }; });
}

}  // namespace steertag::cli
