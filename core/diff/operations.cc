#include "diff/operations.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "diff/noise.h"
#include "stats/chance.h"
#include "stats/durations.h"
#include "stats/judge.h"

namespace steertag::diff {
namespace {

using stats::Durations;

// One operation on both sides, and where to put what differs.
struct Pair {
  const stats::Operation& operation;
  const OperationProfile& before;
  const OperationProfile& after;
  const Thresholds& thresholds;
  Comparison& into;

  bool of_both() const { return before.totals.count != 0 && after.totals.count != 0; }
  Difference& add(Kind kind, std::string what, const Amount& a, const Amount& b) const {
    Difference& made = into.differences.emplace_back();
    made.kind = kind;
    made.what = std::move(what);
    made.before = a;
    made.after = b;
    made.operation = operation;
    return made;
  }
};

void compare_number(const Pair& pair) {
  const uint64_t before = pair.before.totals.count, after = pair.after.totals.count;
  if (counts_differ(before, after, tolerance(pair.thresholds))) {
    pair.add(Kind::operation, stats::name(pair.operation), {before}, {after});
  }
}

// One way to fail. An answer like any other is counted like any other; anything else is one too many.
void compare_failure(const Pair& pair, const std::string& name, const Failed& before, const Failed& after) {
  const Amount a{before.rpcs, pair.before.totals.count}, b{after.rpcs, pair.after.totals.count};
  const bool ordinary = stats::ordinary_failure(name);
  const bool one_side = (a.value == 0) != (b.value == 0);
  if (!shares_differ(a, b, tolerance(pair.thresholds)) && (ordinary || !one_side)) {
    return;
  }
  Difference& made = pair.add(Kind::failure, name, a, b);
  made.regression = !ordinary && share(b) > share(a) && share(b) - share(a) > pair.thresholds.failed;
  if (a.value != 0) {
    made.seen_before = before.first;
  }
  if (b.value != 0) {
    made.seen_after = after.first;
  }
}

void compare_failures(const Pair& pair) {
  const Failed none;
  for (const auto& [name, before] : pair.before.failures) {
    const auto after = pair.after.failures.find(name);
    compare_failure(pair, name, before, after == pair.after.failures.end() ? none : after->second);
  }
  for (const auto& [name, after] : pair.after.failures) {
    if (!pair.before.failures.contains(name)) {
      compare_failure(pair, name, none, after);
    }
  }
}

void compare_retries(const Pair& pair) {
  const Amount a{pair.before.totals.retries, pair.before.totals.count};
  const Amount b{pair.after.totals.retries, pair.after.totals.count};
  if (shares_differ(a, b, tolerance(pair.thresholds))) {
    pair.add(Kind::retries, "Calls sent again", a, b);
  }
}

// A machine that is busy with something else makes half of a workload twice as slow, now and then, and the
// next run does not; so a percentile alone proves nothing. The median has changed where it is so many times
// the other one, and most RPCs say so: three quarters of the slower ones take longer than half of the faster
// ones, and half of the slower ones longer than three quarters of the faster ones. The 99th percentile has
// changed where several RPCs took longer than so many times the other one: of a hundred RPCs it is the
// second slowest, and what one or two RPCs took may be anything.
bool median_differs(const Durations& faster, const Durations& slower) {
  return slower.percentile(0.25) > faster.percentile(0.5) && slower.percentile(0.5) > faster.percentile(0.75);
}

bool tail_differs(const Durations& faster, const Durations& slower, double factor) {
  const double limit = factor * static_cast<double>(faster.percentile(0.99));
  return slower.above(static_cast<int64_t>(limit)) >= kLeastBeyond;
}

struct Percentile {
  const char* name;
  double fraction, factor;
};

bool differs(const Durations& a, const Durations& b, const Percentile& of, int64_t floor_ns) {
  const bool swapped = a.percentile(of.fraction) > b.percentile(of.fraction);
  const Durations &faster = swapped ? b : a, &slower = swapped ? a : b;
  const int64_t fast = faster.percentile(of.fraction), slow = slower.percentile(of.fraction);
  if (slow - fast < std::max<int64_t>(floor_ns, 1) ||
      static_cast<double>(slow) < of.factor * static_cast<double>(fast)) {
    return false;
  }
  return of.fraction == 0.5 ? median_differs(faster, slower) : tail_differs(faster, slower, of.factor);
}

// Of a median that of all times, of the 99th percentile that of those beyond it.
double chance(const Durations& before, const Durations& after, const Percentile& of) {
  if (of.fraction == 0.5) {
    return stats::chance_of_ranks(before, after);
  }
  const auto limit =
      static_cast<int64_t>(of.factor * static_cast<double>(std::min(before.percentile(of.fraction),
                                                                    after.percentile(of.fraction))));
  return stats::chance_of_fractions({before.above(limit), before.count()},
                                    {after.above(limit), after.count()});
}

void compare_latencies(const Pair& pair) {
  const Durations &before = pair.before.totals.delivered, &after = pair.after.totals.delivered;
  const Thresholds& thresholds = pair.thresholds;
  if (std::min(before.count(), after.count()) < std::max<uint64_t>(thresholds.least_rpcs, 1)) {
    ++pair.into.too_few;
    return;
  }
  ++pair.into.timed;
  for (const Percentile& of :
       {Percentile{"p50", 0.5, thresholds.p50}, Percentile{"p99", 0.99, thresholds.p99}}) {
    if (!differs(before, after, of, thresholds.floor_ns)) {
      continue;
    }
    const auto amount = [&](const Durations& durations) {
      return Amount{static_cast<uint64_t>(durations.percentile(of.fraction)), durations.count()};
    };
    Difference& made = pair.add(Kind::latency, of.name, amount(before), amount(after));
    made.unit = Unit::ns;
    made.seen_before = before.longest();
    made.seen_after = after.longest();
    made.regression = made.after.value > made.before.value;
    made.chance = chance(before, after, of);
  }
}

// Bytes of so many, on the average.
struct Bytes {
  uint64_t sum = 0, of = 0;
  double mean() const { return of == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(of); }
};

Difference* compare_bytes(const Pair& pair, Kind kind, const std::string& what, const Bytes& a,
                          const Bytes& b) {
  if (a.of == 0 || b.of == 0 || !apart(a.mean(), b.mean(), {pair.thresholds.count, kFewBytes})) {
    return nullptr;
  }
  const auto amount = [](const Bytes& bytes) {
    return Amount{static_cast<uint64_t>(std::llround(bytes.mean())), bytes.of};
  };
  Difference& made = pair.add(kind, what, amount(a), amount(b));
  made.unit = Unit::bytes;
  return &made;
}

void compare_sizes(const Pair& pair) {
  const stats::Totals &a = pair.before.totals, &b = pair.after.totals;
  compare_bytes(pair, Kind::size, "arguments", {a.arguments, a.count}, {b.arguments, b.count});
  compare_bytes(pair, Kind::size, "results", {a.results, a.count}, {b.results, b.count});
}

// So many of an operation's RPCs do something.
bool habits_differ(const Pair& pair, const Amount& a, const Amount& b) {
  return shares_differ(a, b, tolerance(pair.thresholds)) ||
         (a.of != 0 && b.of != 0 && std::abs(share(a) - share(b)) >= kMostOf);
}

// What is neither reduced nor long is inline: that is a difference of its own only where neither of them is
// one.
void compare_forms(const Pair& pair, Kind kind, const Forms& before, const Forms& after) {
  bool told = false;
  for (const Form form : {Form::reduced, Form::lengthy, Form::plain}) {
    const auto place = static_cast<size_t>(form);
    const Amount a{before[place], sum(before)}, b{after[place], sum(after)};
    if (!(told && form == Form::plain) && habits_differ(pair, a, b)) {
      pair.add(kind, std::string(form_names[place]), a, b);
      told = true;
    }
  }
}

// Chunks of one kind: how many RPCs have them, then what those have. Read chunks of Calls make these reduced
// or long, which is told already.
void compare_chunk(const Pair& pair, size_t chunk) {
  const ChunkUse &before = pair.before.usage.chunks[chunk], &after = pair.after.usage.chunks[chunk];
  const std::string name(chunk_names[chunk]);
  const Amount a{before.rpcs, sum(pair.before.usage.calls)}, b{after.rpcs, sum(pair.after.usage.calls)};
  const bool of_call =
      chunk == static_cast<size_t>(Chunk::read) || chunk == static_cast<size_t>(Chunk::position_zero);
  if (!of_call && habits_differ(pair, a, b)) {
    pair.add(Kind::chunks, name, a, b).measure = "RPCs";
  }
  const Amount segments_a{before.segments, before.rpcs}, segments_b{after.segments, after.rpcs};
  if (shares_differ(segments_a, segments_b, tolerance(pair.thresholds))) {
    pair.add(Kind::chunks, name, segments_a, segments_b).measure = "segments";
  }
  const std::pair<const char*, uint64_t ChunkUse::*> sizes[] = {{"advertised", &ChunkUse::advertised},
                                                                {"moved", &ChunkUse::moved}};
  for (const auto& [measure, bytes] : sizes) {
    if (Difference* made = compare_bytes(pair, Kind::chunks, name, {before.*bytes, before.rpcs},
                                         {after.*bytes, after.rpcs})) {
      made->measure = measure;
    }
  }
}

}  // namespace

void compare_operation(const stats::Operation& operation, const OperationProfile& before,
                       const OperationProfile& after, const Thresholds& thresholds, Comparison& into) {
  const Pair pair{operation, before, after, thresholds, into};
  compare_number(pair);
  compare_failures(pair);
  if (!pair.of_both()) {
    return;
  }
  compare_retries(pair);
  compare_latencies(pair);
  compare_sizes(pair);
  compare_forms(pair, Kind::calls, before.usage.calls, after.usage.calls);
  compare_forms(pair, Kind::replies, before.usage.replies, after.usage.replies);
  for (size_t chunk = 0; chunk < kChunks; ++chunk) {
    compare_chunk(pair, chunk);
  }
}

}  // namespace steertag::diff
