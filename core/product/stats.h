// StatsProduct: how RPCs did, in groups. It asks for what statistics need, and adds RPCs up in groups. What
// it prints, it prints when all is heard: a table and in words what happened and what stands out; as records;
// or as CSV. What happened is told where all RPCs were asked for; then it asks the rules, too, since what one
// end broke may be why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "incident/collection.h"
#include "product/budget.h"
#include "product/policy.h"
#include "product/product.h"
#include "product/rpc_selection.h"
#include "report/stats.h"
#include "rules/audit.h"
#include "stats/disturbances.h"
#include "stats/sums.h"

namespace steertag::product {

struct StatsOptions {
  RpcSelection selection;
  std::vector<std::string> by = {"op"};
  int64_t interval_ns = 0;  // 0: none
  std::vector<Budget> budgets = {};
  Policy policy = {};  // of it, how long a Call may wait

  stats::Grouping grouping() const;
};

class StatsProduct final : public Product, public rules::Listener {
 public:
  StatsProduct(Context& context, const StatsOptions& options);

  rules::Audit* audit() override { return audit_ ? &*audit_ : nullptr; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  int status() const override { return Product::status() != 0 ? Product::status() : failed_ ? 1 : 0; }
  void merge(const Share& share) override;
  bool for_reports() const override { return true; }
  bool for_files() const override { return options_.grouping().file || options_.grouping().user; }
  std::string_view whole_only() const override { return "stats"; }
  bool chooses_by_number() const override { return !options_.selection.filter.connections.empty(); }

 private:
  void named(const track::Connection& connection) override;
  void passed(const track::Connection& connection, const timing::Transit& transit) override;
  void closed(const track::Connection& connection) override;
  void message(const flow::Message& message) override { sums_.loads.note(message); }
  void troubled(const flow::Incident& incident) override { collection_.note(incident); }
  void lost(const track::Connection& connection, const flow::Loss& loss) override {
    collection_.note(connection, loss);
  }
  void attempted(const attempt::Attempt& attempt) override { collection_.note(attempt); }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override;
  void disturbed(const track::Connection& connection, const flow::Disturbance& disturbance) override;
  void paused(const link::Pause& pause, const Stamp& at) override;
  void timed(const flow::Exchange& exchange) override;

  bool csv() const { return context_.settings.format == "csv"; }
  bool tells_incidents() const { return options_.selection.all() && !csv() && !context_.settings.quiet; }
  bool within(const Stamp& at) const;
  void print_stats(void (*line)(report::Buffer&, const report::Stat&));
  void print_text();
  std::vector<incident::Incident> happened() const;
  void print_incidents();
  void print_notes();
  void print_disturbances();
  void print_loads();

  const StatsOptions& options_;
  incident::Collection collection_;
  stats::Sums sums_;  // tells collection_ of each RPC
  stats::Disturbances disturbances_;
  std::optional<rules::Audit> audit_;  // where incidents are told
  uint64_t seen_ = 0;                  // RPCs, asked for or not
  bool failed_ = false;                // a budget was exceeded
};

}  // namespace steertag::product
