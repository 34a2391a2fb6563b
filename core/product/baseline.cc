#include "product/baseline.h"

#include <utility>

namespace steertag::product {

BaselineProduct::BaselineProduct(Context& context, const Policy& policy, Write write)
    : Product(context),
      write_(std::move(write)),
      audit_(*this, *this, context.analyzer(), policy.settings(context.settings)) {}

void BaselineProduct::finish(const Ended& ended) {
  write_(context_.out(), verdict_, ended.complete());
  context_.records.record_done();
}

void BaselineProduct::merge(const Share& share) {
  Product::merge(share);
  verdict_.take_over(static_cast<BaselineProduct&>(share.product).verdict_, share.place, share.merger);
}

}  // namespace steertag::product
