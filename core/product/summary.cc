#include "product/summary.h"

#include "report/attempt.h"
#include "report/incident.h"

namespace steertag::product {

SummaryProduct::SummaryProduct(Context& context, const SummaryOptions& options)
    : Product(context),
      options_(options),
      audit_(*this, *this, context.analyzer_for_reports(), options.policy.settings(context.settings)) {}

void SummaryProduct::on_finding(const rules::Finding& finding) {
  options_.policy.weighed(finding, [this](const rules::Finding& weighed) {
    failed_ |= options_.policy.fails(weighed.severity, weighed.certainty);
    overview_.found(weighed);
  });
}

void SummaryProduct::named(const track::Connection& connection) {
  if (context_.settings.jsonl()) {
    announce(connection);
  }
  overview_.named(connection);
}

void SummaryProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<SummaryProduct&>(share.product);
  overview_.take_over(other.overview_, share);
  failed_ |= other.failed_;
  audit_.add_share(other.audit_);
}

void SummaryProduct::finish(const Ended& ended) {
  const std::vector<incident::Incident>& incidents =
      overview_.finish(options_.policy.settings(context_.settings).answer_within_ns);
  report::Buffer& out = context_.out();
  if (context_.settings.jsonl()) {
    for (const attempt::Attempt& attempt : overview_.attempts()) {
      report::json_attempt(out, attempt, context_.style.files);
      context_.records.record_done();
    }
    for (const incident::Incident& incident : incidents) {
      report::json_incident(out, incident, context_.style);
      context_.records.record_done();
    }
  } else if (ended.counters.messages != 0 || !incidents.empty()) {
    overview_.print(out, ended.counters, context_.style);
    context_.records.record_done();
  }
}

}  // namespace steertag::product
