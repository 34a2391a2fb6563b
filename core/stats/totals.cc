#include "stats/totals.h"

#include <algorithm>

#include "stats/outcome.h"

namespace steertag::stats {

void Totals::add(const flow::Exchange& exchange) {
  ++count;
  failed += stats::failed(exchange) ? 1 : 0;
  unanswered += stats::unanswered(exchange) ? 1 : 0;
  retries += exchange.timing.retry_of ? 1 : 0;
  const Carried bytes = lengths(exchange);
  arguments += bytes.arguments;
  results += bytes.results;
  if (!exchange.call || !exchange.timing.delivered_ns) {
    return;
  }
  delivered.add(*exchange.timing.delivered_ns, *exchange.call);
  for (size_t i = 0; i < phases_ns.size(); ++i) {
    phases_ns[i] += static_cast<uint64_t>(std::max<int64_t>(exchange.timing.phases_ns[i], 0));
  }
}

void Totals::add(const Totals& others) {
  count += others.count;
  failed += others.failed;
  unanswered += others.unanswered;
  retries += others.retries;
  arguments += others.arguments;
  results += others.results;
  delivered.add(others.delivered);
  for (size_t i = 0; i < phases_ns.size(); ++i) {
    phases_ns[i] += others.phases_ns[i];
  }
}

flow::Phase Totals::longest_phase() const {
  const auto* const longest = std::max_element(phases_ns.begin(), phases_ns.end());
  return static_cast<flow::Phase>(longest - phases_ns.begin());
}

}  // namespace steertag::stats
