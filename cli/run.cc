#include "run.h"

#include <fmt/core.h>

#include <string>
#include <type_traits>
#include <variant>

#include "analyzer.h"
#include "base/counted.h"
#include "failure.h"
#include "interrupt.h"
#include "merge.h"
#include "progress.h"
#include "report/json.h"

namespace steertag::cli {

void Reporter::on(const Event& event) {
  this->event(event);
  std::visit(
      [this](const auto& told) {
        using Told = std::decay_t<decltype(told)>;
        if constexpr (std::is_same_v<Told, ConnectionNamed>) {
          named(told.connection);
        } else if constexpr (std::is_same_v<Told, ConnectionClosed>) {
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

int run(const ReadingOptions& options, const Options& analyzer_options,
        const std::function<std::unique_ptr<Reporter>(Context&)>& make_reporter) {
  watch_interrupts();
  Trace trace(options.captures);
  Output output;
  output.open(options.output, [&](uint64_t device, uint64_t inode) { return trace.contains(device, inode); });
  Progress progress(!options.quiet && trace.size() != 0);
  output.before_write = [&] { progress.hide(); };
  trace.on_wait = [&] {
    output.flush();
    return !output.failed();
  };
  trace.on_trouble = [&](const std::string& path, const std::string& trouble) {
    progress.hide();
    complain(shown(path) + ": " + trouble);
  };

  Context context{options, output, {}};
  context.style.palette = options.palette(output.terminal());
  context.style.files = report::Files{trace.paths()};
  const std::unique_ptr<Reporter> reporter = make_reporter(context);
  Analyzer analyzer(*reporter, analyzer_options);
  const auto status = [&] { return trace.damaged() ? 2 : reporter->status(); };
  // Who writes into a pipe is interrupted, too, and its last words are read.
  const auto stopped = [&] { return trace.size() != 0 && interrupted(); };

  try {
    reporter->begin();
    Frame frame;
    bool first = true;
    while (trace.next(frame) && !stopped()) {
      if (first) {
        context.style.origin_ns = frame.at.time_ns;
        first = false;
      }
      analyzer.feed(frame);
      output.check();
      if (progress.due()) {
        progress.show(trace.position(), trace.size());
      }
    }
    output.check();  // what failed while input was waited for
    analyzer.finish();
    progress.hide();
    reporter->end(analyzer.counters());
    output.close();
  } catch (const ReaderGone&) {
    return status();  // by what was read so far
  }
  if (analyzer.counters().checksum_errors != 0) {
    complain(base::counted(analyzer.counters().checksum_errors, "packet") + " with a wrong ICRC or MPA CRC");
  }
  if (stopped()) {
    throw Failure("interrupted after " + base::counted(analyzer.counters().frames, "frame"));
  }
  if (analyzer.counters().messages == 0 && !options.jsonl() && !options.quiet && !trace.damaged()) {
    complain("no RPC-over-RDMA in " + base::counted(analyzer.counters().frames, "frame"));
  }
  return status();
}

}  // namespace steertag::cli
