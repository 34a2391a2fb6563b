#include "product/flows.h"

#include <algorithm>
#include <optional>

#include "report/json.h"

namespace steertag::product {

void FlowsProduct::begin() {
  context_.style.ops = options_.ops;
  context_.style.subjects = options_.files;
  context_.style.phases = options_.phases;
  context_.style.times = options_.times;
  context_.style.chunks = options_.chunks;
  if (csv()) {
    report::csv_rpc_heading(context_.out(), context_.style.files);
    context_.records.record_done();
  } else if (text()) {
    report::text_files(context_.out(), context_.style);
  }
}

void FlowsProduct::finish(const Ended& ended) {
  check(options_.selection.filter);
  std::sort(slowest_.begin(), slowest_.end(), slower);
  for (const Slow& slow : slowest_) {
    print(slow.text);
  }
  if (text() && !context_.settings.quiet && summary_.seen != 0) {
    summary_.lost = ended.counters.lost;
    summary_.dropped = ended.counters.dropped;
    summary_.given_up = ended.counters.given_up;
    report::text_rpc_summary(context_.out(), summary_, context_.style);
    context_.records.record_done();
  }
}

std::string_view FlowsProduct::whole_only() const {
  return !options_.selection.filter.connections.empty() ? "--conn" : options_.slowest != 0 ? "--slowest" : "";
}

void FlowsProduct::named(const track::Connection& connection) {
  if (!csv() && options_.selection.wants(connection)) {
    announce(connection);
    heading_ = false;  // again, below that
  }
}

// Times that were asked for may be lower bounds.
void FlowsProduct::passed(const track::Connection& connection, const timing::Transit& transit) {
  const bool asked = options_.phases || options_.slowest != 0;
  if (asked && options_.selection.wants(connection)) {
    summary_.at_least.add(report::lower_bounds(connection, transit));
  }
}

void FlowsProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<FlowsProduct&>(share.product);
  track::ConnectionNumber& shown = other.summary_.at_least.connection;
  shown = share.merger.number(share.place, shown);
  summary_.add(other.summary_);
  for (Slow& slow : other.slowest_) {
    scratch_.clear();
    share.merger.fill_in(share.place, slow.text, scratch_);
    slow.text = report::view(scratch_);
    keep(std::move(slow));
  }
}

void FlowsProduct::timed(const flow::Exchange& exchange) {
  ++summary_.seen;
  if (!options_.selection.wants(exchange, context_.style.origin_ns)) {
    return;
  }
  summary_.add(exchange);
  if (options_.slowest != 0) {
    return keep(exchange);
  }
  scratch_.clear();
  render(exchange);
  print(report::view(scratch_));
}

void FlowsProduct::negotiated(const flow::Negotiation& negotiation) {
  if (options_.slowest != 0 || csv() || !options_.selection.wants(negotiation, context_.style.origin_ns)) {
    return;
  }
  scratch_.clear();
  if (context_.settings.jsonl()) {
    report::json_negotiation(scratch_, negotiation, context_.style.files);
  } else {
    report::text_negotiation(scratch_, negotiation, context_.style);
    context_.style.previous_ns = (negotiation.call ? negotiation.call : negotiation.reply)->time_ns;
  }
  print(report::view(scratch_));
}

void FlowsProduct::render(const flow::Exchange& exchange) {
  if (context_.settings.jsonl()) {
    report::json_rpc(scratch_, exchange, context_.style.files);
  } else if (csv()) {
    report::csv_rpc(scratch_, exchange, context_.style.files);
  } else {
    report::text_rpc(scratch_, exchange, context_.style);
    const std::optional<Stamp>& begin = exchange.call ? exchange.call : exchange.reply;
    context_.style.previous_ns = begin ? std::optional(begin->time_ns) : std::nullopt;
  }
}

void FlowsProduct::print(std::string_view text) {
  if (!heading_ && this->text()) {
    report::text_rpc_heading(context_.out(), context_.style);
    context_.records.heading_done();
    heading_ = true;
  }
  report::put(context_.out(), text);
  context_.records.record_done();
}

// The slowest so far, as a heap whose top is the fastest of them.
void FlowsProduct::keep(const flow::Exchange& exchange) {
  const std::optional<int64_t> waited_ns = flow::waited_ns(exchange);
  if (!waited_ns) {
    return;
  }
  Slow slow{*waited_ns, {context_.course.now, summary_.rpcs}, {}};
  if (slowest_.size() == options_.slowest && !slower(slow, slowest_.front())) {
    return;
  }
  scratch_.clear();
  render(exchange);
  slow.text = report::view(scratch_);
  keep(std::move(slow));
}

void FlowsProduct::keep(Slow slow) {
  slowest_.push_back(std::move(slow));
  std::push_heap(slowest_.begin(), slowest_.end(), slower);
  if (slowest_.size() > options_.slowest) {
    std::pop_heap(slowest_.begin(), slowest_.end(), slower);
    slowest_.pop_back();
  }
}

}  // namespace steertag::product
