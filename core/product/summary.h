// SummaryProduct: what happened, on one screen: what the capture is of, whether all is well, and if not, the
// incidents, with the frames to look at and what to run next. It asks the rules and for what statistics need,
// in one pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attempt/attempt.h"
#include "incident/collection.h"
#include "product/policy.h"
#include "product/product.h"
#include "report/finding.h"
#include "rules/audit.h"
#include "stats/sums.h"

namespace steertag::product {

struct SummaryOptions {
  Policy policy;
};

class SummaryProduct final : public Product, public rules::Listener {
 public:
  SummaryProduct(Context& context, const SummaryOptions& options);

  rules::Audit* audit() override { return &audit_; }
  const report::FindingCounts* findings() const override { return &found_; }
  std::string_view whole_only() const override { return "summary"; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  int status() const override { return failed_ ? 1 : 0; }

 private:
  void named(const track::Connection& connection) override;
  void passed(const track::Connection& connection, const timing::Transit& transit) override {
    sums_.loads.note(connection, transit);
  }
  void closed(const track::Connection& connection) override;
  void message(const flow::Message& message) override { sums_.loads.note(message); }
  void timed(const flow::Exchange& exchange) override {
    collection_.note(exchange);
    sums_.add(exchange);
  }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override {
    sums_.loads.note(connection, congestion);
  }
  void troubled(const flow::Incident& incident) override { collection_.note(incident); }
  void attempted(const attempt::Attempt& attempt) override { collection_.note(attempt); }

  const SummaryOptions& options_;
  rules::Audit audit_;
  report::FindingCounts found_;
  incident::Collection collection_;
  stats::Sums sums_{{}, [this](const stats::Rpc& rpc) { collection_.note(rpc); }};
  bool failed_ = false;
};

}  // namespace steertag::product
