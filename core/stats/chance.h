// Chance: how likely two captures of one kind differ so much, for who compares them. Times are compared by
// their ranks (Mann and Whitney, Ann. Math. Statist. 18, 1947, p. 50), so that neither their distribution nor
// a few that are extremely long matter; fractions by Fisher's exact test. Both take one RPC to say nothing
// about the next: what slows down all RPCs of a moment looks surer than it is.
#pragma once

#include <cstdint>

#include "stats/durations.h"

namespace steertag::stats {

// That times of one kind are so far from being mixed: 0 to 1, of either direction. 1 where one side has none.
double chance_of_ranks(const Durations& a, const Durations& b);

// So many of so many.
struct Fraction {
  uint64_t hits = 0, of = 0;  // hits <= of
};
// That one of two fractions of one kind is so much larger, whichever: 0 to 1.
double chance_of_fractions(const Fraction& a, const Fraction& b);

}  // namespace steertag::stats
