#include "stats/totals.h"

#include <algorithm>

namespace steertag::stats {

void Totals::add(const Rpc& rpc) {
  ++count;
  failed += rpc.failed ? 1 : 0;
  unanswered += rpc.unanswered ? 1 : 0;
  retries += rpc.timing.attempts - 1;
  arguments += rpc.bytes.arguments;
  results += rpc.bytes.results;
  if (const std::optional<int64_t> waited_ns = rpc.waited_in_vain_ns()) {
    const auto waited = static_cast<uint64_t>(std::max<int64_t>(*waited_ns, 0));
    waiting_ns += waited;
    longest_waiting_ns = std::max(longest_waiting_ns, waited);
  }
  if (const std::optional<int64_t> took_ns = rpc.took_ns()) {
    delivered.add(*took_ns, rpc.began);
    recovery_ns += static_cast<uint64_t>(std::max<int64_t>(rpc.timing.recovery_ns, 0));
    ++waited_on[static_cast<size_t>(rpc.timing.waited_on)];
    earlier_ns += static_cast<uint64_t>(flow::earlier_ns(rpc.timing));
    for (size_t i = 0; i < phases_ns.size(); ++i) {
      phases_ns[i] += static_cast<uint64_t>(std::max<int64_t>(rpc.timing.phases_ns[i], 0));
    }
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
  recovery_ns += others.recovery_ns;
  for (size_t i = 0; i < waited_on.size(); ++i) {
    waited_on[i] += others.waited_on[i];
  }
  earlier_ns += others.earlier_ns;
  waiting_ns += others.waiting_ns;
  longest_waiting_ns = std::max(longest_waiting_ns, others.longest_waiting_ns);
  for (size_t i = 0; i < phases_ns.size(); ++i) {
    phases_ns[i] += others.phases_ns[i];
  }
}

Totals::Longest Totals::longest_part() const {
  const auto longest = std::max_element(phases_ns.begin(), phases_ns.end());
  return earlier_ns > *longest
             ? Longest{flow::earlier_name, earlier_ns}
             : Longest{flow::phase_names[static_cast<size_t>(longest - phases_ns.begin())], *longest};
}

}  // namespace steertag::stats
