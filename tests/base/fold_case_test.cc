#include "base/fold_case.h"

#include <catch2/catch.hpp>

namespace steertag::base {
namespace {

TEST_CASE("Words are the same in any case, and only whole") {
  CHECK(same_in_any_case("INV-03", "inv-03"));
  CHECK(same_in_any_case("NFSv4 COMPOUND", "nfsV4 compound"));
  CHECK(same_in_any_case("", ""));
  CHECK_FALSE(same_in_any_case("INV", "INV-03"));
  CHECK_FALSE(same_in_any_case("INV-03", "INV"));
  CHECK_FALSE(same_in_any_case("@", "`"));  // beside the letters, and as far apart as they are
  CHECK_FALSE(same_in_any_case("[", "{"));
}

}  // namespace
}  // namespace steertag::base
