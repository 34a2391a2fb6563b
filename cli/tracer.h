// Tracer: the Product of a trace: each RPC with where its time went and what was found of it, for
// Perfetto, for OpenTelemetry, or for both in one pass. It asks for what the rules want and for what reports
// want. One hears of all connections: identifiers of tracks are their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "product/product.h"
#include "report/otlp.h"
#include "report/perfetto.h"
#include "rpc_selection.h"
#include "rule_options.h"
#include "rules/audit.h"

namespace steertag::cli {

struct TraceOptions {
  ReadingOptions reading;
  RpcSelection selection;
  RuleOptions rules;
  std::string otlp;  // empty: not asked for

  // Decides what goes where. Throws Failure where nothing was asked for.
  void prepare();
};

class Tracer final : public product::Product, public rules::Listener {
 public:
  Tracer(product::Context& context, const TraceOptions& options);

  rules::Audit* audit() override { return &audit_; }
  bool chooses_by_number() const override { return true; }
  std::string_view whole_only() const override { return "trace"; }
  int status() const override { return all_exist_ ? 0 : 2; }
  void finish(const product::Ended& ended) override;
  void on_finding(const rules::Finding& finding) override;
  void on_judged(const track::Connection& connection) override;

 private:
  void named(const track::Connection& connection) override { announced_.push_back(connection.number); }
  void message(const flow::Message& message) override;
  void timed(const flow::Exchange& exchange) override;
  void merge(const Share& share) override;
  bool wanted(const rules::Finding& finding) const;
  void done();

  const TraceOptions& options_;
  rules::Audit audit_;
  product::Records* perfetto_records_ = nullptr;  // null: not asked for
  product::Records* otlp_records_ = nullptr;
  report::PerfettoTrace perfetto_;
  report::OtlpTrace otlp_;
  std::vector<uint32_t> announced_;
  bool all_exist_ = true;
};

}  // namespace steertag::cli
