// The run of a command that reads captures: open them, feed every frame to an
// Analyzer, or to the Audit of a command that checks rules, let a Reporter print what
// is reported, and finish. Everything that the commands share, except what they
// print.
#pragma once

#include <functional>
#include <memory>

#include "analyzer.h"
#include "event.h"
#include "options.h"
#include "output.h"
#include "report/finding.h"
#include "report/seen.h"
#include "report/text.h"
#include "rules/audit.h"

namespace steertag::cli {

// What a Reporter may use, for as long as the run lasts.
struct Context {
  const ReadingOptions& options;
  Output& output;
  report::TextStyle style;  // its origin is the first frame; set before the first event

  report::Buffer& out() { return output.buffer(); }
};

// Prints into context.out(), and calls record_done() after each record. The records
// "stream" and "summary" around it are run()'s.
class Reporter : public Observer {
 public:
  explicit Reporter(Context& context) : context_(context) {}
  virtual ~Reporter() = default;

  void on(const Event& event) final;
  // What is fed, where rules are asked; it tells this Reporter its events, as an Analyzer does otherwise.
  virtual rules::Audit* audit() { return nullptr; }
  virtual void begin() {}                   // before the first event
  virtual void end(const Counters&) {}      // after the last
  virtual int status() const { return 0; }  // exit status, where every capture was read to its end
  virtual const report::FindingCounts* findings() const { return nullptr; }  // where rules were asked
  const report::Seen& seen() const { return seen_; }  // of connections that carry something else

 protected:
  virtual void named(const track::Connection&) {}
  virtual void closed(const track::Connection&) {}
  virtual void message(const flow::Message&) {}
  virtual void exchange(const flow::Exchange&) {}

  // A connection is first named: the record or line that precedes all that refer to it.
  void announce(const track::Connection& connection);

  Context& context_;

 private:
  report::Seen seen_;
};

// Returns the exit status; throws Failure where a capture cannot be read.
int run(const ReadingOptions& options,
        const std::function<std::unique_ptr<Reporter>(Context&)>& make_reporter);

}  // namespace steertag::cli
