// Findings that wait until it is proven that nothing is missing.
#include "rules/held_back.h"

#include <catch2/catch.hpp>

#include "rules/made.h"

using namespace steertag;
using namespace steertag::rules;
using rdma::Side;

namespace {

struct Holding {
  HeldBack held;
  track::Connection one, other;
  const Rule& rule = rules::rule("MEM-01");
  Words released;

  void add(const track::Connection& connection, uint64_t frame) {
    held.add(made(connection, rule, frame), [&](const Finding& f) { released.push_back(word(f)); });
  }
  void heard(const track::Connection& connection, Side from) {
    held.on_heard(connection, from, [&](const Finding& f) { released.push_back(word(f)); });
  }
  void end(const track::Connection& connection) {
    held.on_end(connection, [&](const Finding& f) { released.push_back(word(f)); });
  }
  Words take() { return std::exchange(released, {}); }
};

}  // namespace

TEST_CASE_METHOD(Holding, "a finding is definite once both sides have sent again") {
  add(one, 1);
  heard(one, Side::a);
  heard(one, Side::a);
  CHECK(take().empty());
  heard(one, Side::b);
  CHECK(take() == Words{"MEM-01 definite 1"});
  CHECK(held.empty());
}

TEST_CASE_METHOD(Holding, "what was sent before a finding proves nothing about it") {
  add(one, 1);
  heard(one, Side::a);
  add(one, 2);
  heard(one, Side::b);
  CHECK(take() == Words{"MEM-01 definite 1"});
  heard(one, Side::b);
  CHECK(take().empty());
  heard(one, Side::a);
  CHECK(take() == Words{"MEM-01 definite 2"});
}

TEST_CASE_METHOD(Holding, "a gap that comes to light makes what waits only possible, and nothing behind it") {
  add(one, 1);
  add(one, 2);
  ++one.doubts;
  add(one, 3);
  CHECK(take().empty());
  heard(one, Side::a);
  CHECK(take() == Words{"MEM-01 possible 1", "MEM-01 possible 2"});
  heard(one, Side::b);
  CHECK(take() == Words{"MEM-01 definite 3"});
}

TEST_CASE_METHOD(Holding, "at the end a finding is likely, or possible where there was a gap") {
  add(one, 1);
  ++one.doubts;
  add(one, 2);
  add(other, 3);
  end(one);
  CHECK(take() == Words{"MEM-01 possible 1", "MEM-01 likely 2"});
  CHECK(held.oldest().at.number == 3);
}

TEST_CASE_METHOD(Holding, "a finding is never surer than it was") {
  Finding finding = made(one, rule, 1);
  finding.certainty = Certainty::likely;
  held.add(std::move(finding), [](const Finding&) {});
  heard(one, Side::a);
  heard(one, Side::b);
  CHECK(take() == Words{"MEM-01 likely 1"});
}

TEST_CASE_METHOD(Holding, "connections wait for themselves") {
  add(one, 1);
  add(other, 2);
  heard(one, Side::a);
  heard(other, Side::b);
  CHECK(take().empty());
  heard(one, Side::b);
  CHECK(take() == Words{"MEM-01 definite 1"});
  heard(other, Side::a);
  CHECK(take() == Words{"MEM-01 definite 2"});
}

TEST_CASE_METHOD(Holding, "beyond the bound the oldest of all is released as possible") {
  add(one, 0);
  for (uint64_t i = 1; i < HeldBack::kMost; ++i) {
    add(other, i);
  }
  CHECK(take().empty());
  add(other, HeldBack::kMost);
  CHECK(take() == Words{"MEM-01 possible 0"});
  add(one, HeldBack::kMost + 1);
  CHECK(take() == Words{"MEM-01 possible 1"});
}

TEST_CASE_METHOD(Holding, "the newest that fits is found, among the last few") {
  for (uint64_t i = 1; i <= 9; ++i) {
    add(one, i);
  }
  add(other, 10);
  const auto even = [](const Finding& finding) { return finding.at.number % 2 == 0; };
  REQUIRE(held.newest(one, 9, even) != nullptr);
  CHECK(held.newest(one, 9, even)->at.number == 8);
  CHECK(held.newest(one, 1, even) == nullptr);
  end(one);
  CHECK(held.newest(one, 9, even) == nullptr);
}
