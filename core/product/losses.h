// LossesProduct: what was lost or sent again, packet by packet, and what waited for it.
// It asks for what reports need, and keeps each loss until all is heard, since only then the RPCs that
// waited for it are known.
#pragma once

#include <string_view>

#include "loss/ledger.h"
#include "product/product.h"

namespace steertag::product {

class LossesProduct final : public Product {
 public:
  explicit LossesProduct(Context& context) : Product(context) {}

  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  bool for_reports() const override { return true; }
  std::string_view whole_only() const override { return "losses"; }

 private:
  void named(const track::Connection& connection) override;
  void lost(const track::Connection& connection, const flow::Loss& loss) override {
    ledger_.note(connection, loss);
  }
  void timed(const flow::Exchange& exchange) override { ledger_.note(exchange); }
  void closed(const track::Connection& connection) override { ledger_.close(connection); }

  loss::Ledger ledger_;
};

}  // namespace steertag::product
