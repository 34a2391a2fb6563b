#include "extract/chosen.h"

#include <catch2/catch.hpp>

namespace steertag::extract {
namespace {

TEST_CASE("as many findings are chosen as there is room for") {
  Chosen chosen;
  for (size_t i = 0; i < Chosen::kMostFindings; ++i) {
    CHECK(chosen.add(ChosenFinding{}));
  }
  CHECK_FALSE(chosen.add(ChosenFinding{}));
  CHECK(chosen.findings.size() == Chosen::kMostFindings);
}

TEST_CASE("more RPCs can be chosen than are looked for in the extract, and not any number") {
  Chosen chosen;
  for (size_t i = 0; i < Chosen::kMostRpcs; ++i) {
    REQUIRE(chosen.add(ChosenRpc{}, Chosen::Proven::yes));
  }
  CHECK(chosen.rpcs.size() == Chosen::kMostProven);
  CHECK_FALSE(chosen.too_many_rpcs());
  CHECK_FALSE(chosen.add(ChosenRpc{}, Chosen::Proven::yes));
  CHECK(chosen.too_many_rpcs());
}

TEST_CASE("RPCs of a finding are not looked for: the finding is") {
  Chosen chosen;
  CHECK(chosen.add(ChosenRpc{}, Chosen::Proven::no));
  CHECK(chosen.rpcs.empty());
  CHECK(chosen.rpcs_in_all == 1);
}

TEST_CASE("the chosen frames of a connection are counted once") {
  Chosen chosen;
  track::Connection facts;
  facts.number = 3;
  ChosenConnection& connection = chosen.connection(facts);
  chosen.add(connection, {.number = 7});
  chosen.add(connection, {.number = 7});
  chosen.add(connection, {.number = 8});
  CHECK(connection.frames == 2);
  CHECK(&chosen.connection(facts) == &connection);
}

}  // namespace
}  // namespace steertag::extract
