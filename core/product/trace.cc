#include "product/trace.h"

#include <fmt/core.h>

#include "product/version.h"

namespace steertag::product {
TraceProduct::TraceProduct(Context& context, const TraceOptions& options)
    : Product(context),
      options_(options),
      audit_(*this, *this, context.analyzer_for_reports(), options.policy.settings(context.settings)),
      perfetto_(context.style.files),
      otlp_(context.style.files, version()) {
  if (context.settings.format == "otlp") {
    otlp_records_ = &context.records;
  } else {
    perfetto_records_ = &context.records;
    otlp_records_ = context.reports.empty() ? nullptr : context.reports[0];
  }
}

bool TraceProduct::wanted(const rules::Finding& finding) const {
  const Filter& filter = options_.selection.filter;
  return options_.selection.wants(*finding.connection) &&
         (filter.xids.empty() || (finding.xid && filter.wants_xid(*finding.xid))) &&
         options_.selection.bounds.within(finding.at.time_ns, context_.style.origin_ns);
}

void TraceProduct::on_finding(const rules::Finding& finding) {
  if (!wanted(finding)) {
    return;
  }
  if (perfetto_records_ != nullptr) {
    perfetto_.add(perfetto_records_->buffer(), finding);
  }
  if (otlp_records_ != nullptr) {
    otlp_.add(otlp_records_->buffer(), finding);
  }
  done();
}

void TraceProduct::message(const flow::Message& message) {
  if (perfetto_records_ != nullptr && options_.selection.wants(*message.connection)) {
    perfetto_.add(perfetto_records_->buffer(), message);
    done();
  }
}

void TraceProduct::timed(const flow::Exchange& exchange) {
  if (!options_.selection.wants(exchange, context_.style.origin_ns)) {
    return otlp_.leave_out(exchange);
  }
  if (perfetto_records_ != nullptr) {
    perfetto_.add(perfetto_records_->buffer(), exchange);
  }
  if (otlp_records_ != nullptr) {
    otlp_.add(otlp_records_->buffer(), exchange);
  }
  done();
}

void TraceProduct::on_judged(const track::Connection& connection) {
  perfetto_.close(connection);
  if (otlp_records_ != nullptr) {
    otlp_.close(otlp_records_->buffer(), connection);
    done();
  }
}

// Of what was appended, all is whole.
void TraceProduct::done() {
  for (Records* records : {perfetto_records_, otlp_records_}) {
    if (records != nullptr) {
      records->record_done();
    }
  }
}

void TraceProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<TraceProduct&>(share.product);
  perfetto_.take_over(other.perfetto_);
  otlp_.take_over(other.otlp_);
  audit_.add_share(other.audit_);
}

void TraceProduct::finish(const Ended&) {
  check(options_.selection.filter);
  if (perfetto_records_ != nullptr) {
    perfetto_.finish(perfetto_records_->buffer());
  }
  if (otlp_records_ != nullptr) {
    otlp_.finish(otlp_records_->buffer());
  }
  done();
  if (const uint64_t left_out = perfetto_.left_out(); left_out != 0) {
    complain(
        fmt::format("{} RPCs and segments are left out: more lie side by side than a trace shows", left_out));
  }
}

}  // namespace steertag::product
