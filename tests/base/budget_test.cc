#include "base/budget.h"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

using namespace steertag::base;

TEST_CASE("a budget is over above its limit, and eased an eighth below") {
  Budget budget(800);
  budget.charge(700);
  CHECK(budget.eased());
  budget.charge(1);
  CHECK_FALSE(budget.eased());
  CHECK_FALSE(budget.over());
  budget.charge(100);
  CHECK(budget.over());
  budget.release(1);
  CHECK_FALSE(budget.over());
  CHECK(budget.held() == 800);
}

TEST_CASE("an account charges what its owner is, and releases all of it in the end") {
  Budget budget(1000);
  std::optional<Account> first(budget);
  {
    Account second(budget);
    first->set(300);
    second.set(500);
    CHECK(budget.held() == 800);
    first->set(100);
    CHECK(budget.held() == 600);
    CHECK(second.charged() == 500);
  }
  CHECK(budget.held() == 100);
  first.reset();
  CHECK(budget.held() == 0);
}

TEST_CASE("where nothing more can be given up, an eighth may come on top before it is tried again") {
  Budget budget(800);
  budget.charge(900);
  REQUIRE(budget.over());
  budget.settle();
  CHECK_FALSE(budget.over());
  budget.charge(100);
  CHECK_FALSE(budget.over());
  budget.charge(1);
  CHECK(budget.over());
  budget.release(401);
  budget.settle();  // eased: the limit holds again
  budget.charge(200);
  CHECK_FALSE(budget.over());
  budget.charge(1);
  CHECK(budget.over());
}

TEST_CASE("a budget without a limit is never over, however much is charged") {
  Budget budget;
  budget.charge(SIZE_MAX / 2);
  CHECK_FALSE(budget.over());
  CHECK(budget.eased());
}

TEST_CASE("an occasion comes more and more rarely, and then regularly") {
  Occasion occasion;
  std::vector<int> when;
  for (int use = 1; use <= 4096; ++use) {
    if (occasion.due()) {
      when.push_back(use);
    }
  }
  CHECK(when == std::vector<int>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096});
}
