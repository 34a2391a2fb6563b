#include "product/diff.h"

#include "report/diff.h"

namespace steertag::product {

DiffProduct::DiffProduct(Context& context, const Policy& policy)
    : Product(context),
      audit_(*this, *this, context.analyzer_for_reports(), policy.settings(context.settings)) {}

void DiffProduct::timed(const flow::Exchange& exchange) {
  attempts_.add(stats::rpc_of(exchange));
  profile_.add(exchange);
}

void DiffProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<DiffProduct&>(share.product);
  other.attempts_.finish();
  profile_.take_over(other.profile_);
  verdict_.take_over(other.verdict_, share.place, share.merger);
  audit_.add_share(other.audit_);
}

void DiffProduct::finish(const Ended& ended) {
  attempts_.finish();
  gathered_.faults = report::faults(verdict_);
  gathered_.tallies = audit_.tallies();
  gathered_.found = verdict_.counts();
  gathered_.untold = verdict_.beyond() + profile_.further().totals.count;
  gathered_.counters = ended.counters;
  gathered_.cut = ended.cut;
  gathered_.damaged = ended.damaged;
  if (ended.counters.messages == 0) {
    gathered_.nothing = seen().text(ended.counters);
  }
  gathered_.profile = std::move(profile_);
}

}  // namespace steertag::product
