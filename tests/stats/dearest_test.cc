#include "stats/dearest.h"

#include <catch2/catch.hpp>
#include <string>

#include "stats/made.h"

namespace steertag::stats {
namespace {

Dearest::Entry entry(int64_t weight, uint64_t frame, std::string_view op = "READ") {
  return {.evidence = {weight, {.number = frame, .time_ns = static_cast<int64_t>(frame)}, 1, 0},
          .operation = {100003, 3, std::string(op)}};
}

std::string text(const Dearest& dearest) {
  std::string text;
  for (const Dearest::Entry& one : dearest.entries()) {
    text += one.operation.op + " " + std::to_string(one.evidence.weight) + " in " +
            std::to_string(one.evidence.at.number) + "; ";
  }
  return text;
}

TEST_CASE("Dearest: so many, the dearest first, of equal ones the first") {
  Dearest dearest;
  CHECK(dearest.entries().empty());
  CHECK_FALSE(dearest.worth(-1));
  CHECK(dearest.worth(0));
  dearest.note(entry(5, 1));
  CHECK(text(dearest) == "READ 5 in 1; ");
  dearest.note(entry(7, 2, "WRITE"));
  dearest.note(entry(5, 3));
  dearest.note(entry(5, 4));
  CHECK(text(dearest) == "WRITE 7 in 2; READ 5 in 1; READ 5 in 3; ");
  static_assert(Dearest::kMost == 3);
  CHECK(dearest.worth(5));
  CHECK_FALSE(dearest.worth(4));
  dearest.note(entry(6, 5));
  CHECK(text(dearest) == "WRITE 7 in 2; READ 6 in 5; READ 5 in 1; ");
}

TEST_CASE("Dearest: those of parts are those of the whole, in whatever order") {
  Dearest first, second, whole;
  for (uint64_t frame = 1; frame <= 8; ++frame) {
    const Dearest::Entry one = entry(static_cast<int64_t>(frame * 5 % 7), frame);
    (frame % 2 == 0 ? first : second).note(one);
    whole.note(one);
  }
  Dearest one_way = first, other_way = second;
  one_way.add(second);
  other_way.add(first);
  CHECK(text(one_way) == text(whole));
  CHECK(text(other_way) == text(whole));
  whole.renumber([](track::ConnectionNumber number) { return track::ConnectionNumber(number + 4); });
  CHECK(whole.entries()[0].evidence.connection == 5u);
}

}  // namespace
}  // namespace steertag::stats
