#include "base/idlest.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

using steertag::base::Idlest;

namespace {

// A table of things with the times when they were last used.
struct Table {
  std::map<int, int> used;
  Idlest<int, int> idlest;

  void add(int key, int time) {
    used[key] = time;
    idlest.add(key, time);
  }
  std::optional<int> now(int key) const {
    const auto found = used.find(key);
    return found == used.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<int> take() {
    const auto key = idlest.take([&](int one) { return now(one); });
    if (key) {
      used.erase(*key);
    }
    return key;
  }
};

}  // namespace

TEST_CASE("the idlest goes first, by what it was used for last") {
  Table table;
  table.add(1, 10);
  table.add(2, 20);
  table.add(3, 30);
  table.used[1] = 25;  // nobody reported it
  CHECK(table.take() == 2);
  CHECK(table.take() == 1);
  CHECK(table.take() == 3);
  CHECK_FALSE(table.take());
}

TEST_CASE("what is gone from the table is passed over") {
  Table table;
  table.add(1, 10);
  table.add(2, 20);
  table.used.erase(1);
  CHECK(table.take() == 2);
  CHECK_FALSE(table.take());
}

TEST_CASE("notes of what is gone do not pile up, and those that are trimmed stay in order") {
  Table table;
  size_t asked = 0;
  for (int key = 0; key < 1000; ++key) {
    table.add(key, key);
    if (key >= 10) {
      table.used.erase(key - 10);
    }
    table.idlest.trim(table.used.size(), [&](int one) {
      ++asked;
      return table.now(one);
    });
  }
  CHECK(asked > 0);
  CHECK(asked < 3000);
  std::vector<int> order;
  while (const auto key = table.take()) {
    order.push_back(*key);
  }
  CHECK(order == std::vector<int>{990, 991, 992, 993, 994, 995, 996, 997, 998, 999});
}

// Up to 64 of them are not worth the work of looking at each.
TEST_CASE("bounds: notes of what is gone are as many as there are things, and 63") {
  for (const int things : {0, 1, 100}) {
    Table table;
    for (int key = 0; key < things; ++key) {
      table.add(key, key);
    }
    const auto trim = [&] {
      table.idlest.trim(table.used.size(), [&](int one) { return table.now(one); });
      return table.idlest.notes() - table.used.size();
    };
    const size_t most = table.used.size() + 63;
    for (size_t gone = 1; gone <= most; ++gone) {
      table.idlest.add(-1, 0);
      REQUIRE(trim() == gone);
    }
    table.idlest.add(-1, 0);
    CHECK(trim() == 0);
  }
}
