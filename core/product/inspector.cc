#include "product/inspector.h"

namespace steertag::product {

Inspector::Inspector(const Context& context, const MakeProduct& make_product)
    : context_(context), product_(make_product(context_)), audit_(product_->audit()) {
  if (audit_ == nullptr) {
    Options options = context_.analyzer();
    options.for_reports = product_->for_reports();
    options.for_rules = product_->for_rules();
    analyzer_.emplace(*product_, options);
  }
}

}  // namespace steertag::product
