#include "tracer.h"

#include <fmt/core.h>

#include "host/failure.h"

namespace steertag::cli {
void TraceOptions::prepare() {
  selection.prepare();
  rules.prepare();
  if (reading.output.empty() && otlp.empty()) {
    throw host::Failure("trace: writes nothing: -o FILE is for Perfetto, --otlp FILE for OpenTelemetry");
  }
  if (reading.output == otlp) {
    throw host::Failure(otlp + ": is for Perfetto, by -o, and for OpenTelemetry, by --otlp");
  }
  if (reading.output.empty()) {
    reading.output = otlp;
    reading.format = "otlp";
  } else if (!otlp.empty()) {
    reading.reports.push_back({"otlp", otlp});
  }
}

Tracer::Tracer(product::Context& context, const TraceOptions& options)
    : Product(context),
      options_(options),
      audit_(*this, *this, context.analyzer_for_reports(), options.rules.settings(context.settings)),
      perfetto_(context.style.files),
      otlp_(context.style.files, STEERTAG_VERSION) {
  if (options.reading.format == "otlp") {
    otlp_records_ = &context.records;
  } else {
    perfetto_records_ = &context.records;
    otlp_records_ = context.reports.empty() ? nullptr : context.reports[0];
  }
}

bool Tracer::wanted(const rules::Finding& finding) const {
  const Filter& filter = options_.selection.filter;
  return options_.selection.wants(*finding.connection) &&
         (filter.xids.empty() || (finding.xid && filter.wants_xid(*finding.xid))) &&
         options_.selection.bounds.within(finding.at.time_ns, context_.style.origin_ns);
}

void Tracer::on_finding(const rules::Finding& finding) {
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

void Tracer::message(const flow::Message& message) {
  if (perfetto_records_ != nullptr && options_.selection.wants(*message.connection)) {
    perfetto_.add(perfetto_records_->buffer(), message);
    done();
  }
}

void Tracer::timed(const flow::Exchange& exchange) {
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

void Tracer::on_judged(const track::Connection& connection) {
  perfetto_.close(connection);
  if (otlp_records_ != nullptr) {
    otlp_.close(otlp_records_->buffer(), connection);
    done();
  }
}

// Of what was appended, all is whole.
void Tracer::done() {
  for (product::Records* records : {perfetto_records_, otlp_records_}) {
    if (records != nullptr) {
      records->record_done();
    }
  }
}

void Tracer::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<Tracer&>(share.product);
  perfetto_.take_over(other.perfetto_);
  otlp_.take_over(other.otlp_);
  audit_.add_share(other.audit_);
  announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
}

void Tracer::finish(const product::Ended&) {
  all_exist_ = options_.selection.filter.all_exist(announced_);
  if (perfetto_records_ != nullptr) {
    perfetto_.finish(perfetto_records_->buffer());
  }
  if (otlp_records_ != nullptr) {
    otlp_.finish(otlp_records_->buffer());
  }
  done();
  if (const uint64_t left_out = perfetto_.left_out(); left_out != 0) {
    host::complain(
        fmt::format("{} RPCs and segments are left out: more lie side by side than a trace shows", left_out));
  }
}

}  // namespace steertag::cli
