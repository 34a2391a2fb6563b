// Reporter: what a command that reads captures prints of what is found in them; each such
// command has its own. Everything else that they share is run()'s (run.h). Several may hear
// of a share of the connections each, and one of them then has the last word.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer.h"
#include "event.h"
#include "flow/course.h"
#include "options.h"
#include "product/records.h"
#include "report/finding.h"
#include "report/merger.h"
#include "report/seen.h"
#include "report/share.h"
#include "report/stream.h"
#include "report/text.h"
#include "rules/audit.h"

namespace steertag::cli {

// What a Reporter may use, for as long as the run lasts.
struct Context {
  const ReadingOptions& options;
  product::Records& records;
  report::TextStyle style;  // its origin is the first frame; set before the first event
  flow::Course course;      // of what is reported
  size_t shares = 1;        // of all connections, one of which is this Reporter's
  // Where what --report asks for goes, in the order of ReadingOptions::reports. Null for what is written when
  // all is known, but for who has the last word.
  std::vector<product::Records*> reports = {};

  report::Buffer& out() { return records.buffer(); }
  // What an Analyzer, or an Audit, is made with.
  Options analyzer() {
    Options chosen = options.analyzer();
    chosen.course = &course;
    chosen.memory /= shares;
    return chosen;
  }
  // The same, of an Audit that is asked for what reports about RPCs need, too.
  Options analyzer_for_reports() {
    Options chosen = analyzer();
    chosen.for_reports = true;
    return chosen;
  }
};

// What is known of a run when nothing more comes.
struct Ended {
  const Counters& counters;
  std::string_view cut;  // "truncated", "interrupted"; empty where all was read
  bool damaged = false;  // the rest of a capture made no sense, or was of a kind that is not known

  // What was not found was not there to be found: all was read, and nothing given up for want of memory.
  bool complete() const { return cut.empty() && !damaged && counters.given_up == 0; }
};

// Prints into context.out(), and calls record_done() after each record. The records
// "stream" and "summary" around it are run()'s.
class Reporter : public Observer {
 public:
  explicit Reporter(Context& context) : context_(context) {}
  virtual ~Reporter() = default;

  void on(const Event& event) final;
  // What is fed, where rules are asked; it reports its events to this Reporter, as an Analyzer does
  // otherwise.
  virtual rules::Audit* audit() { return nullptr; }
  // Whether it asks for what reports about RPCs need: Options::for_reports. Asked only where there is no
  // Audit: that is made with analyzer_for_reports().
  virtual bool for_reports() const { return false; }
  // The same of what rules ask for: Options::for_rules.
  virtual bool for_rules() const { return false; }
  virtual void begin() {}                         // before the first event
  virtual void end(const Ended&) {}               // after the last
  virtual void sum_up(const report::Summary&) {}  // at the very end, where the format is not jsonl
  virtual int status() const { return 0; }        // exit status, where every capture was read to its end
  virtual const report::FindingCounts* findings() const { return nullptr; }  // where rules were asked
  const report::Seen& seen() const { return seen_; }  // of connections that carry something else

  // Whether what is printed, and what is not, depends on the numbers of connections: then one has to hear
  // of all of them.
  virtual bool chooses_by_number() const { return false; }
  // What is asked for that one share cannot say of itself, nor a merge of what all print: an option, or the
  // command. Empty: nothing.
  virtual std::string_view whole_only() const { return {}; }
  // Adds what it has counted.
  virtual void total(report::ShareTotals& /*totals*/) const {}
  // A Reporter of the same command, which has heard of one share of the connections and hears of no more.
  struct Share {
    Reporter& reporter;
    size_t place;                  // among the shares
    const report::Merger& merger;  // knows their numbers
  };
  // Takes over what it has counted and kept back.
  void absorb(const Share& share);

 protected:
  virtual void named(const track::Connection&) {}
  virtual void passed(const track::Connection&, const timing::Transit&) {
  }  // before closed(), where for_reports()
  // Before closed(), where there is an Audit, or for_rules().
  virtual void established(const track::Connection&, const history::Ground&) {}
  virtual void closed(const track::Connection&) {}
  virtual void message(const flow::Message&) {}
  virtual void exchange(const flow::Exchange&) {}
  virtual void timed(const flow::Exchange&) {}          // after exchange(), where for_reports()
  virtual void negotiated(const flow::Negotiation&) {}  // where for_reports()
  virtual void congested(const track::Connection&, const track::Congestion&) {}
  virtual void disturbed(const track::Connection&, const flow::Disturbance&) {}  // where for_reports()
  virtual void paused(const link::Pause&, const Stamp&) {}
  virtual void take_over(const Share&) {}

  // A connection is first named: the record or line that precedes all that refer to it.
  void announce(const track::Connection& connection);

  Context& context_;

 private:
  report::Seen seen_;
};

}  // namespace steertag::cli
