// What a page keeps of many records: the first of each order, as far as they fit, whatever order they come
// in.
#include "product/kept.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

namespace steertag::product {
namespace {

std::vector<Kept::Record> records(size_t count) {
  std::vector<Kept::Record> all;
  for (size_t i = 0; i < count; ++i) {
    const Stamp at{.number = i + 1, .file = 0, .time_ns = static_cast<int64_t>(i)};
    const uint64_t chance = Kept::chance_of(at, static_cast<uint32_t>(i));
    all.push_back({{chance, i % 10 == 0 ? i : Kept::kNot, Kept::kNot}, chance, at, 100, std::to_string(i)});
  }
  return all;
}

std::vector<std::string> kept_of(Kept& kept, std::vector<Kept::Record> all) {
  for (Kept::Record& record : all) {
    kept.add(std::move(record));
  }
  kept.finish();
  std::vector<std::string> texts;
  for (const Kept::Record& record : kept.records()) {
    texts.push_back(record.text);
  }
  return texts;
}

struct CountingGate final : Gate {
  int inside = 0, entered = 0;
  void enter() override {
    ++inside;
    ++entered;
  }
  void leave() override { --inside; }
};

}  // namespace

TEST_CASE("product: each order keeps its first, by number and by weight") {
  Kept kept({Kept::Limit{20, 1'000}, {5, 10'000}, {}});
  const std::vector<std::string> texts = kept_of(kept, records(10'000));
  CHECK(kept.seen() == 10'000);
  CHECK(texts.size() <= 15);  // ten of the first by weight, and five of the second
  for (const char* notable : {"0", "10", "20", "30", "40"}) {
    CHECK(std::find(texts.begin(), texts.end(), notable) != texts.end());
  }
  CHECK(std::is_sorted(texts.begin(), texts.end(), [](const std::string& a, const std::string& b) {
    return std::stoul(a) < std::stoul(b);
  }));
}

TEST_CASE("product: what is kept does not depend on which record came first") {
  const std::array<Kept::Limit, Kept::kOrders> limits = {Kept::Limit{50, 4'000}, {10, 500}, {}};
  Kept in_order(limits), shuffled(limits);
  std::vector<Kept::Record> all = records(20'000);
  const std::vector<std::string> expected = kept_of(in_order, all);
  std::shuffle(all.begin(), all.end(), std::mt19937(7));
  CHECK(kept_of(shuffled, std::move(all)) == expected);
}

TEST_CASE("product: records are kept one at a time, through the gate") {
  CountingGate gate;
  Kept kept({Kept::Limit{20, 1'000}, {}, {}}, &gate);
  CHECK(kept_of(kept, records(100)).size() == 10);
  CHECK(gate.entered == 100);
  CHECK(gate.inside == 0);
}

}  // namespace steertag::product
