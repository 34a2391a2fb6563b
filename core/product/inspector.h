// Inspector: an Analyzer, or the Audit of a Product that checks rules, with the Product that
// is made of what it finds. One does all the work; or several have a share of the connections
// each, and one more merges what they have made.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "analyzer.h"
#include "product/product.h"
#include "report/merger.h"

namespace steertag::product {

using MakeProduct = std::function<std::unique_ptr<Product>(Context&)>;

class Inspector {
 public:
  // What it is made with, for as long as the run lasts.
  Inspector(const Context& context, const MakeProduct& make_product);

  // For all that an Analyzer can be told, but for finish().
  Analyzer& analyzer() { return audit_ != nullptr ? audit_->analyzer() : *analyzer_; }
  // The next frames. The first of all is what times are relative to.
  void feed(std::span<const Frame> frames) {
    if (!fed_ && !frames.empty()) {
      context_.style.origin_ns = frames[0].at.time_ns;
      fed_ = true;
    }
    analyzer().feed(frames);
  }
  void finish() { audit_ != nullptr ? audit_->finish() : analyzer_->finish(); }
  const Counters& counters() const { return audit_ != nullptr ? audit_->counters() : analyzer_->counters(); }

  Context& context() { return context_; }
  const Moment& now() const { return context_.course.now; }
  Product& product() { return *product_; }
  const Product& product() const { return *product_; }

 private:
  Context context_;
  std::unique_ptr<Product> product_;
  rules::Audit* audit_ = nullptr;     // the product's, or else
  std::optional<Analyzer> analyzer_;  // without rules
  bool fed_ = false;
};

}  // namespace steertag::product
