#include "product/summary.h"

#include "report/attempt.h"
#include "report/incident.h"
#include "report/text_summary.h"

namespace steertag::product {
SummaryProduct::SummaryProduct(Context& context, const SummaryOptions& options)
    : Product(context),
      options_(options),
      audit_(*this, *this, context.analyzer_for_reports(), options.policy.settings(context.settings)) {}

void SummaryProduct::on_finding(const rules::Finding& finding) {
  options_.policy.weighed(finding, [this](const rules::Finding& weighed) {
    found_.add(weighed.severity);
    failed_ |= options_.policy.fails(weighed.severity, weighed.certainty);
    collection_.note(weighed);
  });
}

void SummaryProduct::named(const track::Connection& connection) {
  if (context_.settings.jsonl()) {
    announce(connection);
  }
  collection_.name(connection);
}

void SummaryProduct::closed(const track::Connection& connection) {
  sums_.loads.close(connection);
  collection_.close(connection);
}

void SummaryProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<SummaryProduct&>(share.product);
  const auto number = [&](track::ConnectionNumber theirs) {
    return share.merger.number(share.place, theirs);
  };
  report::Buffer scratch;
  sums_.take_over(other.sums_, number);  // the last RPCs come to the share's Collection by it
  collection_.take_over(other.collection_, number, [&](std::string& text) {
    scratch.clear();
    share.merger.fill_in(share.place, text, scratch);
    text = report::view(scratch);
  });
  found_.add(other.found_);
  failed_ |= other.failed_;
  audit_.add_share(other.audit_);
}

void SummaryProduct::finish(const Ended& ended) {
  sums_.finish();
  const std::vector<incident::Incident> incidents =
      collection_.incidents(sums_.counted(), options_.policy.settings(context_.settings).answer_within_ns);
  report::Buffer& out = context_.out();
  if (context_.settings.jsonl()) {
    for (const attempt::Attempt& attempt : collection_.attempts()) {
      report::json_attempt(out, attempt, context_.style.files);
      context_.records.record_done();
    }
    for (const incident::Incident& incident : incidents) {
      report::json_incident(out, incident, context_.style);
      context_.records.record_done();
    }
  } else if (ended.counters.messages != 0 || !incidents.empty()) {
    report::text_summary(
        out,
        {.incidents = incidents, .counted = sums_.counted(), .counters = ended.counters, .found = found_},
        context_.style);
    context_.records.record_done();
  }
}

}  // namespace steertag::product
