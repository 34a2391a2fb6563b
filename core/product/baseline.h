// BaselineProduct: all findings of the rules, put together by their fingerprints, for a list of what is
// known. What becomes of them, the caller decides, when all is heard. It counts findings of every severity,
// whatever is known already.
#pragma once

#include <functional>
#include <string_view>

#include "product/policy.h"
#include "product/product.h"
#include "report/buffer.h"
#include "report/verdict.h"
#include "rules/audit.h"

namespace steertag::product {

class BaselineProduct final : public Product, public rules::Listener {
 public:
  // Prints the list. `complete`: what was not found is not there.
  using Write = std::function<void(report::Buffer& out, const report::Verdict& verdict, bool complete)>;
  BaselineProduct(Context& context, const Policy& policy, Write write);

  rules::Audit* audit() override { return &audit_; }
  void on_finding(const rules::Finding& finding) override { verdict_.add(finding, context_.course.now); }
  std::string_view whole_only() const override { return "a baseline"; }
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;

 private:
  const Write write_;
  rules::Audit audit_;
  report::Verdict verdict_;
};

}  // namespace steertag::product
