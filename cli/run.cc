#include "run.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "analyzer.h"
#include "base/counted.h"
#include "failure.h"
#include "interrupt.h"
#include "merge.h"
#include "progress.h"
#include "report/json.h"
#include "report/stream.h"
#include "report/units.h"

namespace steertag::cli {

void Reporter::on(const Event& event) {
  std::visit(
      [this](const auto& told) {
        using Told = std::decay_t<decltype(told)>;
        if constexpr (std::is_same_v<Told, ConnectionNamed>) {
          named(told.connection);
        } else if constexpr (std::is_same_v<Told, ConnectionClosed>) {
          if (!told.connection.rpcrdma) {
            seen_.note(told.connection);
          }
          closed(told.connection);
        } else if constexpr (std::is_same_v<Told, MessageSeen>) {
          message(told.message);
        } else if constexpr (std::is_same_v<Told, ExchangeDone>) {
          exchange(told.exchange);
        }
      },
      event);
}

void Reporter::announce(const track::Connection& connection) {
  if (context_.options.jsonl()) {
    report::json_connection(context_.out(), connection, connection.number, false, context_.style.files);
  } else {
    report::text_connection_line(context_.out(), connection, context_.style);
  }
  context_.output.record_done();
}

namespace {

// Frames in, events out; what holds them together for one run.
class Run {
 public:
  Run(const ReadingOptions& options, const std::function<std::unique_ptr<Reporter>(Context&)>& make_reporter)
      : options_(options), trace_(options.captures), progress_(!options.quiet && trace_.size() != 0) {
    output_.open(options.output,
                 [this](uint64_t device, uint64_t inode) { return trace_.contains(device, inode); });
    output_.before_write = [this] { progress_.hide(); };
    trace_.on_wait = [this] {
      output_.flush();
      return !output_.failed();
    };
    trace_.on_trouble = [this](const std::string& path, const std::string& trouble) {
      progress_.hide();
      complain(shown(path) + ": " + trouble);
    };
    context_.style.palette = options.palette(output_.terminal());
    context_.style.files = report::Files{trace_.paths()};
    reporter_ = make_reporter(context_);
    audit_ = reporter_->audit();
    if (audit_ == nullptr) {
      analyzer_.emplace(*reporter_, options.analyzer());
    }
  }

  int all() {
    try {
      begin();
      read();
      output_.check();  // what failed while input was waited for
      end();
      output_.close();
    } catch (const ReaderGone&) {
      return status();  // by what was read so far
    }
    last_words();
    return status();
  }

 private:
  void begin() {
    if (options_.jsonl()) {
      report::json_stream(context_.out(), STEERTAG_VERSION);
      output_.record_done();
    }
    reporter_->begin();
  }

  void read() {
    Frame frame;
    bool first = true;
    while (trace_.next(frame) && !stopped()) {
      if (first) {
        context_.style.origin_ns = frame.at.time_ns;
        first = false;
      }
      audit_ != nullptr ? audit_->feed(frame) : analyzer_->feed(frame);
      output_.check();
      if (progress_.due()) {
        progress_.show(trace_.position(), trace_.size());
      }
    }
    interrupted_ = interrupted();
  }
  // Who writes into a pipe is interrupted, too, and its last words are read.
  bool stopped() const { return trace_.size() != 0 && interrupted(); }

  void end() {
    audit_ != nullptr ? audit_->finish() : analyzer_->finish();
    progress_.hide();
    const Counters& counters = this->counters();
    reporter_->end(counters);
    if (options_.jsonl()) {
      report::json_summary(context_.out(), {.files = trace_.paths().size(),
                                            .counters = counters,
                                            .findings = reporter_->findings(),
                                            .cut = cut(),
                                            .damaged = trace_.damaged(),
                                            .seen = &reporter_->seen()});
      output_.record_done();
    }
  }

  void last_words() const {
    const Counters& counters = this->counters();
    if (counters.checksum_errors != 0) {
      complain(base::counted(counters.checksum_errors, "packet") + " with a wrong ICRC or MPA CRC");
    }
    if (counters.given_up != 0) {
      complain(fmt::format(
          "{} of memory were not enough (--memory): {} a connection, an RPC or what waited behind a "
          "hole was given up; what was under way there is not judged",
          report::size_text(options_.memory), base::counted(counters.given_up, "time")));
    }
    if (interrupted_) {
      complain("interrupted after " + base::counted(counters.frames, "frame"));
    } else if (counters.messages == 0 && !options_.jsonl() && !options_.quiet && status() != 2) {
      for (const std::string& line : reporter_->seen().text(counters)) {
        complain(line);
      }
    }
  }

  const Counters& counters() const { return audit_ != nullptr ? audit_->counters() : analyzer_->counters(); }

  std::string_view cut() const { return interrupted_ ? "interrupted" : trace_.cut() ? "truncated" : ""; }

  int status() const {
    return trace_.damaged() || trace_.foreign() || (!cut().empty() && !options_.allow_cut)
               ? 2
               : reporter_->status();
  }

  const ReadingOptions& options_;
  Trace trace_;
  Output output_;
  Progress progress_;
  Context context_{options_, output_, {}};
  std::unique_ptr<Reporter> reporter_;
  rules::Audit* audit_ = nullptr;     // the reporter's, or else
  std::optional<Analyzer> analyzer_;  // without rules
  bool interrupted_ = false;
};

}  // namespace

int run(const ReadingOptions& options,
        const std::function<std::unique_ptr<Reporter>(Context&)>& make_reporter) {
  watch_interrupts();
  return Run(options, make_reporter).all();
}

}  // namespace steertag::cli
