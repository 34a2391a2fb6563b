#include "stats/spells.h"

#include <catch2/catch.hpp>
#include <string>

#include "stats/made.h"

namespace steertag::stats {
namespace {

constexpr int64_t kApart = Spells::kApartNs;

std::string text(const Span& span) {
  return std::to_string(span.begin_ns) + " to " + std::to_string(span.end_ns);
}

TEST_CASE("Spells: what is closer together is one, and the nearest to a time is found") {
  Spells spells;
  CHECK_FALSE(spells.any());
  spells.note(0, 10);
  spells.note(2 * kApart + 10, 2 * kApart + 20);
  spells.note(5, 30);
  REQUIRE(spells.count() == 2);
  CHECK(text(spells.at(0)) == "0 to 30");
  CHECK(text(spells.at(40)) == "0 to 30");
  CHECK(spells.at(2 * kApart).end_ns == 2 * kApart + 20);
  CHECK(spells.at(INT64_MAX).end_ns == 2 * kApart + 20);
  CHECK(text(spells.whole()) == "0 to " + std::to_string(2 * kApart + 20));
  spells.note(kApart + 30, kApart + 25);  // a clock goes back
  REQUIRE(spells.count() == 1);
  CHECK(spells.at(7).end_ns == 2 * kApart + 20);
}

TEST_CASE("Spells: each has the RPCs that it hit, whoever noted them, and all together have all") {
  const auto hit = [](int64_t ns, uint32_t number) { return Hit::of({ns, {.time_ns = ns}, number, 0}); };
  Spells spells, others;
  spells.note(0, 10, hit(10, 4));
  others.note(2 * kApart + 10, 2 * kApart + 20, hit(5, 7));
  others.note(20, 40, hit(20, 2));
  others.renumber([](track::ConnectionNumber number) { return track::ConnectionNumber(number + 1); });
  spells.note(others);
  REQUIRE(spells.count() == 2);
  const Hit& first = spells.at(0).what;
  CHECK(first.rpcs == 2);
  CHECK(first.ns == 30);
  CHECK(first.longest.connection == 3u);
  CHECK(first.connections == std::vector<track::ConnectionNumber>{3, 4});
  CHECK(spells.at(2 * kApart).what.connections == std::vector<track::ConnectionNumber>{8});
  CHECK(spells.sum().rpcs == 3);
  CHECK(spells.sum().ns == 35);
  for (size_t i = 2; i <= 2 * Spells::kMost; ++i) {
    spells.note(static_cast<int64_t>(i) * 2 * kApart, static_cast<int64_t>(i) * 2 * kApart);
  }
  REQUIRE(spells.count() == 1);
  CHECK(spells.at(0).what.rpcs == 3);
}

TEST_CASE("Spells: beyond so many, the whole is left, whoever noted them") {
  Spells whole, even, odd;
  for (size_t i = 0; i < Spells::kMost; ++i) {
    const int64_t at_ns = static_cast<int64_t>(i) * 2 * kApart;
    whole.note(at_ns, at_ns);
    (i % 2 == 0 ? even : odd).note(at_ns, at_ns);
  }
  static_assert(SpellsOf<Hit>::kMost == 16);
  CHECK(whole.count() == Spells::kMost);
  odd.note(even);
  CHECK(odd.count() == Spells::kMost);
  CHECK(text(odd.at(4 * kApart)) == text(whole.at(4 * kApart)));
  whole.note(kSecond * 1'000'000, kSecond * 1'000'000);
  REQUIRE(whole.count() == 1);
  whole.note(kSecond * 9'000'000, kSecond * 9'000'000);
  REQUIRE(whole.count() == 1);
  CHECK(text(whole.whole()) == "0 to 9000000000000000");
  Spells few;
  few.note(1, 2);
  few.note(whole);
  CHECK(few.count() == 1);
  CHECK(text(few.whole()) == "0 to 9000000000000000");
}

}  // namespace
}  // namespace steertag::stats
