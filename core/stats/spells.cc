#include "stats/spells.h"

#include <algorithm>
#include <iterator>

#include "base/saturating.h"

namespace steertag::stats {

void Spells::note(int64_t from_ns, int64_t to_ns) {
  Span more{from_ns, std::max(from_ns, to_ns)};  // clocks may go back
  const auto before = [&](const Span& one) {
    return !many_ && base::saturating_subtract(more.begin_ns, one.end_ns) > kApartNs;
  };
  const auto behind = [&](const Span& one) {
    return !many_ && base::saturating_subtract(one.begin_ns, more.end_ns) > kApartNs;
  };
  const auto first = std::find_if_not(spans_.begin(), spans_.end(), before);
  const auto last = std::find_if(first, spans_.end(), behind);
  std::for_each(first, last, [&](const Span& one) { more.note(one); });
  spans_.insert(spans_.erase(first, last), more);
  if (spans_.size() > kMost) {
    spans_ = {whole()};
    many_ = true;
  }
}

void Spells::note(const Spells& others) {
  for (const Span& one : others.spans_) {
    note(one);
  }
  if (others.many_ && !many_) {
    spans_ = {whole()};
    many_ = true;
  }
}

const Span& Spells::at(int64_t ns) const {
  const auto next =
      std::find_if(spans_.begin(), spans_.end(), [&](const Span& one) { return one.end_ns >= ns; });
  if (next == spans_.begin() || (next != spans_.end() && next->begin_ns <= ns)) {
    return *next;
  }
  const Span& before = *std::prev(next);
  const bool nearer = next != spans_.end() && base::saturating_subtract(next->begin_ns, ns) <
                                                  base::saturating_subtract(ns, before.end_ns);
  return nearer ? *next : before;
}

}  // namespace steertag::stats
