// Spells: when something went on that came and went, and what it did each time: spans of time, in order, each
// apart from the next by more than kApartNs of quiet. Of two outages with an hour between them neither lasted
// for an hour. Bounded: of more than kMost spells only the whole is known, for something that never ceases
// for long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "base/rare.h"
#include "base/saturating.h"
#include "stats/hit.h"
#include "stats/span.h"

namespace steertag::stats {

// `What` is what it did: a value that others can be added to.
template <typename What>
class SpellsOf {
 public:
  static constexpr size_t kMost = 16;
  static constexpr int64_t kApartNs = 60'000'000'000;

  struct Spell : Span {
    What what;
  };

  void note(int64_t from_ns, int64_t to_ns, const What& what = {}) {
    note_spell({{from_ns, std::max(from_ns, to_ns)}, what});  // clocks may go back
  }
  void note(const Span& span, const What& what = {}) {
    if (span.any()) {
      note(span.begin_ns, span.end_ns, what);
    }
  }
  void note(const SpellsOf& others) {
    for (const Spell& one : others.spells()) {
      note_spell(one);
    }
    if (others.kept_->many && !kept_->many) {
      make_one();
    }
  }

  bool any() const { return !spells().empty(); }
  size_t count() const { return spells().size(); }
  const std::vector<Spell>& spells() const { return kept_->spells; }
  // From the first to the last. Precondition of both: there is any.
  Span whole() const { return {spells().front().begin_ns, spells().back().end_ns}; }
  // The one at that time, or next to it.
  const Spell& at(int64_t ns) const {
    const auto next =
        std::find_if(spells().begin(), spells().end(), [&](const Spell& one) { return one.end_ns >= ns; });
    if (next == spells().begin() || (next != spells().end() && next->begin_ns <= ns)) {
      return *next;
    }
    const Spell& before = *std::prev(next);
    const bool nearer = next != spells().end() && base::saturating_subtract(next->begin_ns, ns) <
                                                      base::saturating_subtract(ns, before.end_ns);
    return nearer ? *next : before;
  }
  // What all of them did.
  What sum() const {
    What sum;
    for (const Spell& one : spells()) {
      sum.add(one.what);
    }
    return sum;
  }
  // `number` makes the numbers of connections others.
  void renumber(const auto& number) {
    if (Kept* const kept = kept_.get()) {
      for (Spell& one : kept->spells) {
        one.what.renumber(number);
      }
    }
  }

 private:
  struct Kept {
    std::vector<Spell> spells;
    bool many = false;  // there were too many: one spell for all
  };

  void note_spell(Spell more) {
    Kept& kept = kept_.make();
    const auto before = [&](const Spell& one) {
      return !kept.many && base::saturating_subtract(more.begin_ns, one.end_ns) > kApartNs;
    };
    const auto behind = [&](const Spell& one) {
      return !kept.many && base::saturating_subtract(one.begin_ns, more.end_ns) > kApartNs;
    };
    const auto first = std::find_if_not(kept.spells.begin(), kept.spells.end(), before);
    const auto last = std::find_if(first, kept.spells.end(), behind);
    std::for_each(first, last, [&](const Spell& one) {
      more.Span::note(one);
      more.what.add(one.what);
    });
    kept.spells.insert(kept.spells.erase(first, last), std::move(more));
    if (kept.spells.size() > kMost) {
      make_one();
    }
  }
  void make_one() { kept_.make() = {.spells = {{whole(), sum()}}, .many = true}; }

  base::Rare<Kept> kept_;
};

using Spells = SpellsOf<Hit>;  // the RPCs that it hit

}  // namespace steertag::stats
