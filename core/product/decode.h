// DecodeProduct: what the transport header of each message says: a line with its chunks below, every field,
// or a record. It prints messages as they come.
// Nothing is kept of a message that was printed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "product/product.h"
#include "product/rpc_selection.h"

namespace steertag::product {

struct DecodeOptions {
  Filter filter;
  std::vector<uint64_t> frames;  // numbers; empty: all
  bool verbose = false;          // every field with its offset and length

  bool wants(const flow::Message& message) const;
};

class DecodeProduct final : public Product {
 public:
  DecodeProduct(Context& context, const DecodeOptions& options) : Product(context), options_(options) {}

  void begin() override;
  void finish(const Ended& ended) override;
  std::string_view whole_only() const override { return options_.filter.connections.empty() ? "" : "--conn"; }
  bool chooses_by_number() const override { return !options_.filter.connections.empty(); }

 private:
  void named(const track::Connection& connection) override;
  void message(const flow::Message& message) override;

  const DecodeOptions& options_;
  bool heading_ = false;
};

}  // namespace steertag::product
