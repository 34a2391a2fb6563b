#include "product/budget.h"

#include <fmt/format.h>

#include "base/units.h"

namespace steertag::product {
namespace {

// What the RPCs of an operation add up to.
struct Measured {
  stats::Durations times;
  uint64_t rpcs = 0, failed = 0, unanswered = 0;
};

Measured measured(const Budget& budget, const stats::Counted& counted) {
  if (budget.operation.empty()) {
    const stats::Totals& all = counted.all;
    return {all.delivered, all.count, all.failed, all.unanswered};
  }
  Measured sum;
  for (const stats::Topic* topic : counted.topics.in_order()) {
    if (topic->operation.op == budget.operation) {
      sum.times.add(topic->delivered);
      sum.rpcs += topic->rpcs;
      sum.failed += topic->failed();
      sum.unanswered += topic->unanswered.rpcs;
    }
  }
  return sum;
}

uint64_t of_network(Budget::Figure figure, const stats::Loads& loads) {
  uint64_t sum = 0;
  const auto add = [&](const stats::Load& load) {
    for (const stats::EndLoad* end : {&load.client, &load.server}) {
      sum += figure == Budget::Figure::retransmissions ? end->retransmitted
             : figure == Budget::Figure::naks          ? end->naks
                                                       : end->rnr_naks;
    }
  };
  for (const stats::Load* load : loads.in_order()) {
    add(*load);
  }
  if (loads.rest() != nullptr) {
    add(*loads.rest());
  }
  return sum;
}

int64_t time_of(Budget::Figure figure, const stats::Durations& times) {
  switch (figure) {
    case Budget::Figure::mean:
      return times.mean();
    case Budget::Figure::p50:
      return times.percentile(0.5);
    case Budget::Figure::p90:
      return times.percentile(0.9);
    case Budget::Figure::p99:
      return times.percentile(0.99);
    case Budget::Figure::p999:
      return times.percentile(0.999);
    default:
      return times.greatest();
  }
}

// Unset where nothing was measured.
std::optional<int64_t> value_of(const Budget& budget, const stats::Counted& counted) {
  if (budget.figure == Budget::Figure::retries) {
    return static_cast<int64_t>(counted.all.retries);
  }
  if (Budget::is_of_all(budget.figure)) {
    return static_cast<int64_t>(of_network(budget.figure, counted.loads));
  }
  const Measured sum = measured(budget, counted);
  switch (budget.figure) {
    case Budget::Figure::rpcs:
      return static_cast<int64_t>(sum.rpcs);
    case Budget::Figure::failed:
      return static_cast<int64_t>(sum.failed);
    case Budget::Figure::unanswered:
      return static_cast<int64_t>(sum.unanswered);
    default:
      return sum.times.count() == 0 ? std::nullopt : std::optional(time_of(budget.figure, sum.times));
  }
}

}  // namespace

std::vector<std::string> exceeded(const std::vector<Budget>& budgets, const stats::Counted& counted) {
  std::vector<std::string> lines;
  for (const Budget& budget : budgets) {
    const std::string name = fmt::format("{}{}{}", budget.operation, budget.operation.empty() ? "" : ".",
                                         Budget::kFigures[static_cast<size_t>(budget.figure)]);
    const std::optional<int64_t> value = value_of(budget, counted);
    if (!value) {
      lines.push_back(
          fmt::format("{} is not known: no such RPC's time is in the capture ({})", name, budget.text));
      continue;
    }
    const bool fails = (budget.equal && *value == budget.limit) ||
                       (budget.above ? *value > budget.limit : *value < budget.limit);
    if (fails) {
      lines.push_back(
          fmt::format("{} is {} ({})", name,
                      Budget::is_time(budget.figure) ? base::duration_text(*value) : std::to_string(*value),
                      budget.text));
    }
  }
  return lines;
}

}  // namespace steertag::product
