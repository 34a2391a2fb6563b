#include "product/overview.h"

#include <type_traits>
#include <variant>

#include "report/text_summary.h"

namespace steertag::product {

void Overview::observe(const Event& event) {
  std::visit(
      [this](const auto& what) {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, ConnectionNamed>) {
          named(what.connection);
        } else if constexpr (std::is_same_v<What, ConnectionClosed>) {
          if (what.transit != nullptr) {
            passed(what.connection, *what.transit);
          }
          closed(what.connection);
        } else if constexpr (std::is_same_v<What, MessageSeen>) {
          message(what.message);
        } else if constexpr (std::is_same_v<What, ExchangeTimed>) {
          timed(what.exchange);
        } else if constexpr (std::is_same_v<What, CongestionSeen>) {
          congested(what.connection, what.congestion);
        } else if constexpr (std::is_same_v<What, IncidentSeen>) {
          troubled(what.incident);
        } else if constexpr (std::is_same_v<What, LossSeen>) {
          lost(what.connection, what.loss);
        } else if constexpr (std::is_same_v<What, AttemptSeen>) {
          attempted(what.attempt);
        }
      },
      event);
}

void Overview::closed(const track::Connection& connection) {
  sums_.loads.close(connection);
  collection_.close(connection);
}

void Overview::timed(const flow::Exchange& exchange) {
  collection_.note(exchange);
  sums_.add(exchange);
}

void Overview::found(const rules::Finding& finding) {
  found_.add(finding.severity);
  collection_.note(finding);
}

void Overview::take_over(Overview& theirs, const Product::Share& share) {
  const auto number = [&](track::ConnectionNumber of_share) {
    return share.merger.number(share.place, of_share);
  };
  report::Buffer scratch;
  const auto fill_in = [&](std::string& text) {
    scratch.clear();
    share.merger.fill_in(share.place, text, scratch);
    text = report::view(scratch);
  };
  sums_.take_over(theirs.sums_, number);  // the last RPCs come to the share's Collection by it
  collection_.take_over(theirs.collection_, number, fill_in);
  found_.add(theirs.found_);
}

const std::vector<incident::Incident>& Overview::finish(int64_t answer_within_ns) {
  sums_.finish();
  incidents_ = collection_.incidents(sums_.counted(), answer_within_ns);
  return incidents_;
}

void Overview::print(report::Buffer& out, const Counters& counters, const report::TextStyle& style) const {
  report::text_summary(
      out, {.incidents = incidents_, .counted = sums_.counted(), .counters = counters, .found = found_},
      style);
}

}  // namespace steertag::product
