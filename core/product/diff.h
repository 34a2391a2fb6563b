// DiffProduct: what a comparison of captures needs of one of its sides: the findings of the rules, how often
// each was put to the test, and a Profile of the RPCs. It prints nothing; diff::compare() takes two of these.
// It asks for what the rules want and for what reports want, both of one pass.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/compare.h"
#include "diff/profile.h"
#include "product/policy.h"
#include "product/product.h"
#include "report/finding.h"
#include "report/verdict.h"
#include "rules/audit.h"
#include "rules/tally.h"
#include "stats/attempts.h"

namespace steertag::product {

// All of it, when its captures are forgotten.
struct GatheredTrace {
  diff::Profile profile;
  diff::Faults faults;
  std::vector<rules::Tally> tallies;
  report::FindingCounts found;
  uint64_t untold = 0;  // report::DiffSide
  Counters counters;
  std::string cut;
  bool damaged = false;
  std::vector<std::string> nothing;  // said where there is no RPC-over-RDMA

  diff::Gathered view() const { return {profile, faults, tallies}; }
};

class DiffProduct final : public Product, public rules::Listener {
 public:
  DiffProduct(Context& context, const Policy& policy);

  rules::Audit* audit() override { return &audit_; }
  std::string_view whole_only() const override { return "diff"; }
  const report::FindingCounts* findings() const override { return &verdict_.counts(); }
  void on_finding(const rules::Finding& finding) override { verdict_.add(finding, context_.course.now); }
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  // After the end; once.
  GatheredTrace take() { return std::move(gathered_); }

 private:
  void closed(const track::Connection& connection) override { profile_.close(connection); }
  void message(const flow::Message& message) override { profile_.note(message); }
  void timed(const flow::Exchange& exchange) override;

  rules::Audit audit_;
  report::Verdict verdict_;
  diff::Profile profile_;
  stats::Attempts attempts_{[this](const stats::Rpc& rpc) { profile_.add(rpc); }};
  GatheredTrace gathered_;
};

}  // namespace steertag::product
