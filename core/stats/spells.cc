#include "stats/spells.h"

#include <algorithm>
#include <iterator>

#include "base/saturating.h"

namespace steertag::stats {

void Spells::note(int64_t from_ns, int64_t to_ns) {
  Kept& kept = kept_.make();
  Span more{from_ns, std::max(from_ns, to_ns)};  // clocks may go back
  const auto before = [&](const Span& one) {
    return !kept.many && base::saturating_subtract(more.begin_ns, one.end_ns) > kApartNs;
  };
  const auto behind = [&](const Span& one) {
    return !kept.many && base::saturating_subtract(one.begin_ns, more.end_ns) > kApartNs;
  };
  const auto first = std::find_if_not(kept.spans.begin(), kept.spans.end(), before);
  const auto last = std::find_if(first, kept.spans.end(), behind);
  std::for_each(first, last, [&](const Span& one) { more.note(one); });
  kept.spans.insert(kept.spans.erase(first, last), more);
  if (kept.spans.size() > kMost) {
    make_one();
  }
}

void Spells::note(const Spells& others) {
  for (const Span& one : others.spans()) {
    note(one);
  }
  if (others.kept_->many && !kept_->many) {
    make_one();
  }
}

void Spells::make_one() {
  kept_.make() = {.spans = {whole()}, .many = true};
}

const Span& Spells::at(int64_t ns) const {
  const auto next =
      std::find_if(spans().begin(), spans().end(), [&](const Span& one) { return one.end_ns >= ns; });
  if (next == spans().begin() || (next != spans().end() && next->begin_ns <= ns)) {
    return *next;
  }
  const Span& before = *std::prev(next);
  const bool nearer = next != spans().end() && base::saturating_subtract(next->begin_ns, ns) <
                                                   base::saturating_subtract(ns, before.end_ns);
  return nearer ? *next : before;
}

}  // namespace steertag::stats
