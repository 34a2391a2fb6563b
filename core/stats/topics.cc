#include "stats/topics.h"

#include <algorithm>
#include <tuple>

#include "base/saturating.h"

namespace steertag::stats {

namespace {

// Each of them, as Topic::add() and Topics::take_over() go through them.
constexpr std::array kParts = {&Topic::responder, &Topic::requester, &Topic::data,     &Topic::network,
                               &Topic::credits,   &Topic::retried,   &Topic::repeated, &Topic::unanswered};

}  // namespace

void Part::add(const Rpc& rpc, int64_t ns, const Span& when) {
  if (ns > 0) {
    ++rpcs;
    sum_ns += static_cast<uint64_t>(ns);
    longest.note(rpc, ns);
    if (ns >= kSlowNs) {
      slow.note(when, Hit::of({ns, rpc.began, rpc.connection, rpc.disturbed}));
    }
  }
}

void Part::add(const Part& other) {
  rpcs += other.rpcs;
  sum_ns += other.sum_ns;
  longest.note(other.longest);
  slow.note(other.slow);
}

void Part::renumber(const std::function<track::ConnectionNumber(track::ConnectionNumber)>& number) {
  longest.connection = number(longest.connection);
  slow.renumber(number);
}

void Topic::add(const Rpc& rpc) {
  const flow::Timing& timing = rpc.timing;
  ++rpcs;
  const int64_t limited_ns = timing.at_credit_limit_ns.value_or(0), began_ns = rpc.began.time_ns;
  credits.add(rpc, limited_ns, {base::saturating_subtract(began_ns, limited_ns), began_ns});
  if (rpc.unanswered) {
    const int64_t vain_ns = rpc.waited_in_vain_ns().value_or(0);
    unanswered.add(rpc, vain_ns, {rpc.first_ns, base::saturating_add(rpc.first_ns, vain_ns)});
  }
  if (timing.retry_of) {
    (rpc.ignored ? repeated : retried).add(rpc, timing.total_ns.value_or(0), {rpc.first_ns, rpc.until_ns()});
  }
  if (rpc.failed) {
    Failure failure{.name = rpc.failure, .rpcs = 1, .first = {}, .when = {}};
    failure.first.note(rpc, 0);
    failure.when.note(rpc.first_ns, rpc.until_ns());
    add(failure);
  }
  if (const std::optional<int64_t> took_ns = rpc.took_ns()) {
    add_times(rpc, *took_ns);
  }
}

void Topic::add_times(const Rpc& rpc, int64_t took_ns) {
  const flow::Timing& timing = rpc.timing;
  const int64_t all = *timing.delivered_ns,
                lost_ns = std::clamp<int64_t>(timing.recovery_ns - timing.refused_ns, 0, all);
  const bool again = timing.retry_of.has_value(), lossy = timing.waited_on == flow::WaitedOn::network;
  delivered.add(took_ns, rpc.began);
  const auto phase = [&](flow::Phase which) { return timing.phases_ns[static_cast<size_t>(which)]; };
  for (size_t i = 0; i < phases_ns.size(); ++i) {
    phases_ns[i] += static_cast<uint64_t>(std::max<int64_t>(timing.phases_ns[i], 0));
  }
  // What was lost delays whatever comes behind it.
  const int64_t own = std::min(
      phase(flow::Phase::start) + phase(flow::Phase::serve) + phase(flow::Phase::finish) - timing.no_room_ns,
      all - lost_ns);
  const Span when{rpc.began.time_ns, rpc.until_ns()};
  responder.add(rpc, own, when);
  least_own_ns = std::min(least_own_ns, own);
  network.add(rpc, lost_ns, when);
  if (lost_ns > 0) {
    lossiest.note({.evidence = {lost_ns, rpc.began, rpc.connection, rpc.disturbed}, .operation = {}});
  }
  if (!again && !lossy) {
    undisturbed.add(took_ns, rpc.began);
  }
  if (timing.waited_on == flow::WaitedOn::requester) {
    requester.add(rpc, all - lost_ns - own, when);
  } else if (!lossy) {
    data.add(rpc, std::min(phase(flow::Phase::read) + phase(flow::Phase::write), all - lost_ns - own), when);
  }
}

void Topic::add(const Failure& failure) {
  auto found = std::find_if(failures.begin(), failures.end(),
                            [&](const Failure& known) { return known.name == failure.name; });
  if (found == failures.end() && failures.size() == kMaxFailures) {
    found = std::prev(found);
    found->name.clear();
  } else if (found == failures.end()) {
    failures.push_back({failure.name, 0, {}, {}});
    found = std::prev(failures.end());
  }
  found->rpcs += failure.rpcs;
  found->first.note(failure.first);
  found->when.note(failure.when);
}

void Topic::add(const Topic& other) {
  rpcs += other.rpcs;
  delivered.add(other.delivered);
  undisturbed.add(other.undisturbed);
  least_own_ns = std::min(least_own_ns, other.least_own_ns);
  for (Part Topic::*part : kParts) {
    (this->*part).add(other.*part);
  }
  lossiest.add(other.lossiest);
  for (size_t i = 0; i < phases_ns.size(); ++i) {
    phases_ns[i] += other.phases_ns[i];
  }
  for (const Failure& failure : other.failures) {
    add(failure);
  }
}

uint64_t Topic::failed() const {
  uint64_t sum = 0;
  for (const Failure& failure : failures) {
    sum += failure.rpcs;
  }
  return sum;
}

void Topics::add(const Rpc& rpc) {
  topic({rpc.operation, rpc.responder(), rpc.callback}).add(rpc);
}

void Topics::take_over(const Topics& share, const Renumber& number) {
  for (Topic theirs : share.topics_) {
    for (Part Topic::*part : kParts) {
      (theirs.*part).renumber(number);
    }
    theirs.lossiest.renumber(number);
    for (Topic::Failure& failure : theirs.failures) {
      failure.first.connection = number(failure.first.connection);
    }
    topic({theirs.operation, theirs.server, theirs.callback}).add(theirs);
  }
}

Topic& Topics::topic(const Place& place) {
  const auto found = places_.find(place);
  if (found != places_.end()) {
    return topics_[found->second];
  }
  if (topics_.size() == kMaxTopics) {
    return further_;
  }
  places_.emplace(place, topics_.size());
  topics_.emplace_back();
  topics_.back().operation = place.operation;
  topics_.back().server = place.server;
  topics_.back().callback = place.callback;
  return topics_.back();
}

std::vector<const Topic*> Topics::in_order() const {
  std::vector<const Topic*> order;
  for (const Topic& topic : topics_) {
    order.push_back(&topic);
  }
  std::sort(order.begin(), order.end(), [](const Topic* x, const Topic* y) {
    return std::tie(x->operation, x->server, x->callback) < std::tie(y->operation, y->server, y->callback);
  });
  return order;
}

}  // namespace steertag::stats
