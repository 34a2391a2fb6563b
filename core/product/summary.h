// SummaryProduct: what happened, on one screen: what the capture is of, whether all is well, and if not, the
// incidents, with the frames to look at and what to run next. It asks the rules and for what statistics need,
// in one pass.
#pragma once

#include <string_view>

#include "product/overview.h"
#include "product/policy.h"
#include "product/product.h"
#include "rules/audit.h"

namespace steertag::product {

struct SummaryOptions {
  Policy policy;
};

class SummaryProduct final : public Product, public rules::Listener {
 public:
  SummaryProduct(Context& context, const SummaryOptions& options);

  rules::Audit* audit() override { return &audit_; }
  const report::FindingCounts* findings() const override { return &overview_.findings(); }
  std::string_view whole_only() const override { return "summary"; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  int status() const override { return failed_ ? 1 : 0; }

 private:
  void named(const track::Connection& connection) override;
  void passed(const track::Connection& connection, const timing::Transit& transit) override {
    overview_.passed(connection, transit);
  }
  void closed(const track::Connection& connection) override { overview_.closed(connection); }
  void message(const flow::Message& message) override { overview_.message(message); }
  void timed(const flow::Exchange& exchange) override { overview_.timed(exchange); }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override {
    overview_.congested(connection, congestion);
  }
  void troubled(const flow::Incident& incident) override { overview_.troubled(incident); }
  void lost(const track::Connection& connection, const flow::Loss& loss) override {
    overview_.lost(connection, loss);
  }
  void attempted(const attempt::Attempt& attempt) override { overview_.attempted(attempt); }

  const SummaryOptions& options_;
  rules::Audit audit_;
  Overview overview_;
  bool failed_ = false;
};

}  // namespace steertag::product
