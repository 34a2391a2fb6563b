// PageProduct: a capture for eyes. It asks the rules and for what statistics need, in one pass, keeps of
// connections, RPCs and findings as many as a page holds, and prints them as records when all is heard: those
// of the schema, as JSON Lines, or into what a Wrapping makes of them, such as an HTML page.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "incident/collection.h"
#include "loss/ledger.h"
#include "product/known_watch.h"
#include "product/page_records.h"
#include "product/policy.h"
#include "product/product.h"
#include "report/buffer.h"
#include "report/excerpt.h"
#include "report/finding.h"
#include "report/verdict.h"
#include "rules/audit.h"
#include "stats/disturbances.h"
#include "stats/pace.h"
#include "stats/setbacks.h"
#include "stats/sums.h"

namespace steertag::product {

// What a page is around its records.
class Wrapping {
 public:
  virtual void begin(report::Buffer& out) = 0;
  virtual void add(std::string_view records, report::Buffer& out) = 0;
  virtual void finish(report::Buffer& out) = 0;

 protected:
  ~Wrapping() = default;
};

struct PageOptions {
  Policy policy;
  size_t rpcs = 100'000;         // that the page holds one by one
  Wrapping* wrapping = nullptr;  // null: JSON Lines, around which others print "stream" and "summary"
};

class PageProduct final : public Product, public rules::Listener {
 public:
  PageProduct(Context& context, const PageOptions& options, PageRecords& records);

  rules::Audit* audit() override { return &audit_; }
  const report::FindingCounts* findings() const override { return &found_; }
  std::string_view whole_only() const override { return "report"; }
  void begin() override;
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  void sum_up(const report::Summary& summary) override;

 private:
  // Of disturbances, in intervals of one length; the shortest of which there are not too many are printed.
  static constexpr std::array<int64_t, 4> kIntervalsNs = {100'000, 10'000'000, 1'000'000'000,
                                                          100'000'000'000};

  rules::Settings settings();
  void take(const rules::Finding& finding);
  void keep(Kept& kept, Kept::Record&& record);
  void note_frame(const Stamp& at) { last_ns_ = std::max(last_ns_, at.time_ns); }
  bool blamed(const flow::Exchange& exchange) const;
  const stats::Disturbances& disturbances() const;
  void print_report(size_t losses);
  void print_kept();
  void print_rules();
  void print_stats();
  void print_incidents();
  void print_course();
  void put();

  void named(const track::Connection& connection) override { collection_.name(connection); }
  void passed(const track::Connection& connection, const timing::Transit& transit) override;
  void established(const track::Connection& connection, const history::Ground& ground) override;
  void closed(const track::Connection& connection) override;
  void message(const flow::Message& message) override { sums_.loads.note(message); }
  void timed(const flow::Exchange& exchange) override;
  void congested(const track::Connection& connection, const track::Congestion& congestion) override;
  void disturbed(const track::Connection& connection, const flow::Disturbance& disturbance) override;
  void lost(const track::Connection& connection, const flow::Loss& loss) override {
    losses_.note(connection, loss);
    collection_.note(connection, loss);
  }
  void paused(const link::Pause& pause, const Stamp& at) override;
  void troubled(const flow::Incident& incident) override { collection_.note(incident); }
  void attempted(const attempt::Attempt& attempt) override {
    collection_.note(attempt);
    note_frame(attempt.like.last);
  }
  void on_judged(const track::Connection& connection) override;

  const PageOptions& options_;
  report::ExcerptWriter excerpts_;
  rules::Audit audit_;
  KnownWatch known_;
  std::optional<report::Verdict> verdict_;  // where something is known
  report::Buffer scratch_;
  PageRecords& records_;
  report::FindingCounts found_;
  std::set<std::string_view> rules_;  // of which something was found
  // Of the connections that are open, by number: how many findings of each rule were described; which XIDs
  // have findings, so that their RPCs are sure to be kept.
  std::map<uint32_t, std::map<std::string_view, uint32_t>> described_;
  std::map<uint32_t, std::set<uint32_t>> blamed_;
  int64_t last_ns_ = 0;
  incident::Collection collection_;
  stats::Sums sums_{{.op = true}, [this](const stats::Rpc& rpc) { collection_.note(rpc); }};
  stats::Paces paces_;
  stats::Setbacks setbacks_;
  loss::Ledger losses_;
  std::array<stats::Disturbances, kIntervalsNs.size()> disturbances_{
      stats::Disturbances(kIntervalsNs[0]), stats::Disturbances(kIntervalsNs[1]),
      stats::Disturbances(kIntervalsNs[2]), stats::Disturbances(kIntervalsNs[3])};
};

}  // namespace steertag::product
