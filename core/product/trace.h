// TraceProduct: each RPC with where its time went and what was found of it, for Perfetto, for OpenTelemetry,
// or for both in one pass: the format of the settings is "perfetto" or "otlp", and the first report may be
// "otlp". It asks for what the rules want and for what reports want. One hears of all connections:
// identifiers of tracks are their numbers.
#pragma once

#include <string_view>

#include "product/policy.h"
#include "product/product.h"
#include "product/rpc_selection.h"
#include "report/otlp.h"
#include "report/perfetto.h"
#include "rules/audit.h"

namespace steertag::product {

struct TraceOptions {
  RpcSelection selection;
  Policy policy;
};

class TraceProduct final : public Product, public rules::Listener {
 public:
  TraceProduct(Context& context, const TraceOptions& options);

  rules::Audit* audit() override { return &audit_; }
  bool chooses_by_number() const override { return true; }
  std::string_view whole_only() const override { return "trace"; }
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  void on_finding(const rules::Finding& finding) override;
  void on_judged(const track::Connection& connection) override;

 private:
  void message(const flow::Message& message) override;
  void timed(const flow::Exchange& exchange) override;
  bool wanted(const rules::Finding& finding) const;
  void done();

  const TraceOptions& options_;
  rules::Audit audit_;
  Records* perfetto_records_ = nullptr;  // null: not asked for
  Records* otlp_records_ = nullptr;
  report::PerfettoTrace perfetto_;
  report::OtlpTrace otlp_;
};

}  // namespace steertag::product
