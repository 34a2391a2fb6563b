#include "nfs/binding.h"

#include <catch2/catch.hpp>

using namespace steertag::nfs;

namespace {

constexpr Binding unknown{};
constexpr Binding nothing{Eligible::none, Eligible::none};
constexpr Binding argument{Eligible::some, Eligible::none};
constexpr Binding result{Eligible::none, Eligible::some};

}  // namespace

TEST_CASE("what RFC 8267 makes eligible, by procedure") {
  struct Line {
    uint32_t program, version, procedure;
    Binding expected;
  };
  const Line lines[] = {
      {100003, 2, 0, nothing},
      {100003, 2, 5, result},
      {100003, 2, 6, result},
      {100003, 2, 7, nothing},
      {100003, 2, 8, argument},
      {100003, 2, 13, argument},
      {100003, 2, 18, unknown},
      {100003, 3, 0, nothing},
      {100003, 3, 1, nothing},
      {100003, 3, 5, result},
      {100003, 3, 6, result},
      {100003, 3, 7, argument},
      {100003, 3, 10, argument},
      {100003, 3, 17, nothing},
      {100003, 3, 22, unknown},
      {100003, 4, 0, nothing},
      {100003, 4, 2, unknown},
      {100003, 5, 1, unknown},
      {100005, 3, 1, nothing},
      {100021, 4, 2, nothing},
      {100024, 1, 6, nothing},
      {100227, 3, 1, nothing},
      {100000, 4, 3, nothing},
      {0x40000000, 1, 1, nothing},
      {0x40000000, 2, 1, unknown},
      {300000, 1, 1, unknown},
      {100003, 4, 1, {Eligible::by_operation, Eligible::by_operation}},
  };
  for (const Line& line : lines) {
    INFO(line.program << " version " << line.version << " procedure " << line.procedure);
    CHECK((binding(line.program, line.version, line.procedure) == line.expected));
  }
}

TEST_CASE("hardly any procedure goes without a Reply") {
  CHECK(call_only(100012, 1, 1));        // SPRAY
  CHECK_FALSE(call_only(100012, 1, 2));  // its counters
  CHECK_FALSE(call_only(100021, 4, 6));  // NLM TEST_MSG: servers send an empty Reply
  CHECK_FALSE(call_only(100003, 3, 0));
}
