// FlowsProduct: what each RPC did: a line, a record or a row for each, as they are answered; or the slowest
// alone, when all is known. A summary closes the text for people.
// It asks for what reports need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "moment.h"
#include "product/product.h"
#include "product/rpc_selection.h"
#include "report/buffer.h"
#include "report/text.h"

namespace steertag::product {

struct FlowsOptions {
  RpcSelection selection;
  report::TextStyle::Times times = report::TextStyle::Times::relative;
  bool phases = false;
  bool ops = false;
  bool files = false;
  bool chunks = false;
  uint32_t slowest = 0;  // so many RPCs alone; 0: all
};

class FlowsProduct final : public Product {
 public:
  FlowsProduct(Context& context, const FlowsOptions& options) : Product(context), options_(options) {}

  void begin() override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  bool for_reports() const override { return true; }
  bool for_files() const override { return options_.files || !text(); }
  std::string_view whole_only() const override;
  // Of what is printed, a line may depend on the one before.
  bool chooses_by_number() const override {
    return !options_.selection.filter.connections.empty() ||
           options_.times == report::TextStyle::Times::delta;
  }

 private:
  // An RPC held back, because only the slowest are asked for.
  struct Slow {
    int64_t waited_ns = 0;
    std::pair<Moment, uint64_t> place;  // in the order in which they are reported
    std::string text;
  };
  static bool slower(const Slow& a, const Slow& b) {
    return a.waited_ns != b.waited_ns ? a.waited_ns > b.waited_ns : a.place < b.place;
  }

  void named(const track::Connection& connection) override;
  void passed(const track::Connection& connection, const timing::Transit& transit) override;
  void timed(const flow::Exchange& exchange) override;
  void negotiated(const flow::Negotiation& negotiation) override;

  bool csv() const { return context_.settings.format == "csv"; }
  bool text() const { return !csv() && !context_.settings.jsonl(); }
  void render(const flow::Exchange& exchange);
  void print(std::string_view text);
  void keep(const flow::Exchange& exchange);
  void keep(Slow slow);

  const FlowsOptions& options_;
  report::RpcSummary summary_;
  report::Buffer scratch_;
  std::vector<Slow> slowest_;
  bool heading_ = false;
};

}  // namespace steertag::product
