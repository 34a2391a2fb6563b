// Product: what is made of the events of captures: an audit, statistics, a page. Each command that reads
// captures has one. A product observes events, merges what others have made of their share of the
// connections, and is finished when nothing more comes. It prints into Records and knows no file; who feeds
// it is an Inspector (inspector.h). What went wrong it keeps, as complaints() and failure(): it throws
// nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer.h"
#include "event.h"
#include "flow/course.h"
#include "product/records.h"
#include "product/rpc_selection.h"
#include "product/settings.h"
#include "report/finding.h"
#include "report/merger.h"
#include "report/seen.h"
#include "report/share.h"
#include "report/stream.h"
#include "report/text.h"
#include "rules/audit.h"

namespace steertag::product {

// What a Product may use, for as long as the run lasts.
struct Context {
  const Settings& settings;
  Records& records;
  report::TextStyle style;   // its origin is the first frame: by Inspector::feed(), or by who follows packets
  flow::Course course = {};  // of what is reported
  size_t shares = 1;         // of all connections, one of which is this Product's
  // Where the reports beside the result go, in the order of Settings::reports. Null for what is written when
  // all is known, but for who has the last word.
  std::vector<Records*> reports = {};

  report::Buffer& out() { return records.buffer(); }
  // What an Analyzer, or an Audit, is made with.
  Options analyzer() {
    Options chosen = settings.analyzer();
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
// "stream" and "summary" around it are its owner's.
class Product : public Observer {
 public:
  explicit Product(Context& context) : context_(context) {}
  virtual ~Product() = default;

  void on(const Event& event) override;
  // What is fed, where rules are asked; it reports its events to this Product, as an Analyzer does
  // otherwise.
  virtual rules::Audit* audit() { return nullptr; }
  // Whether it asks for what reports about RPCs need: Options::for_reports. Asked only where there is no
  // Audit: that is made with analyzer_for_reports().
  virtual bool for_reports() const { return false; }
  // And beside that the names of files: Options::for_files.
  virtual bool for_files() const { return false; }
  // The same of what rules ask for: Options::for_rules.
  virtual bool for_rules() const { return false; }
  virtual void begin() {}                         // before the first event
  virtual void finish(const Ended&) {}            // after the last
  virtual void sum_up(const report::Summary&) {}  // at the very end, where the format is not jsonl
  // Exit status, where every capture was read to its end.
  virtual int status() const { return all_exist_ ? 0 : 2; }
  virtual const report::FindingCounts* findings() const { return nullptr; }  // where rules were asked
  // What people have to be told besides, a line each. All is there once it is finished.
  const std::vector<std::string>& complaints() const { return complaints_; }
  // Why there is no answer: what was asked for is not there. Empty where there is one.
  const std::string& failure() const { return failure_; }
  const report::Seen& seen() const { return seen_; }  // of connections that carry something else

  // Whether what is printed, and what is not, depends on the numbers of connections: then one has to hear
  // of all of them.
  virtual bool chooses_by_number() const { return false; }
  // The option or the command that makes this answer impossible to give of one share; empty where it can be
  // given.
  virtual std::string_view whole_only() const { return {}; }
  // Adds what it has counted.
  virtual void total(report::ShareTotals& /*totals*/) const {}
  // A Product of the same kind, which has heard of one share of the connections and hears of no more.
  struct Share {
    Product& product;
    size_t place;                  // among the shares
    const report::Merger& merger;  // knows their numbers
  };
  // Takes over what it has counted and kept back. Who overrides it calls this one, too.
  virtual void merge(const Share& share);

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
  virtual void lost(const track::Connection&, const flow::Loss&) {}              // where for_reports()
  virtual void troubled(const flow::Incident&) {}  // where there is an Audit, for_rules() or for_reports()
  virtual void paused(const link::Pause&, const Stamp&) {}
  virtual void attempted(const attempt::Attempt&) {}  // at the end

  // A connection is first named: the record or line that precedes all that refer to it.
  void announce(const track::Connection& connection);
  // At the end: which of the connections that the filter asks for was never named; unset where none is
  // missing.
  std::optional<std::string> missing(const Filter& filter) const { return filter.missing(announced_); }
  // Complains of it, and the status is 2.
  void check(const Filter& filter);
  bool all_exist() const { return all_exist_; }

  void complain(std::string line) { complaints_.push_back(std::move(line)); }
  // The first reason counts.
  void fail(std::string why) { failure_ = failure_.empty() ? std::move(why) : failure_; }

  Context& context_;

 private:
  report::Seen seen_;
  std::vector<std::string> complaints_;
  std::string failure_;
  std::vector<uint32_t> announced_;  // numbers of connections
  bool all_exist_ = true;            // of those that were asked for
};

}  // namespace steertag::product
