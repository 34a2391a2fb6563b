// Which connections' sequence numbers a page shows.
#include "product/page_records.h"

#include <catch2/catch.hpp>

#include "loss/ledger.h"

namespace steertag::product {
namespace {

TEST_CASE(
    "product: a page has the sequence numbers of the connections with the most troubles, and of the first") {
  constexpr uint64_t kAll = PageRecords::kMostTroubled + 100;
  PageRecords records(1000, 512 << 20);
  for (uint64_t i = 0; i < kAll; ++i) {
    records.sequences.add(
        {{Kept::kNot - 1 - i, Kept::kNot, Kept::kNot}, i, {.number = i, .time_ns = 1}, 100, {}, nullptr});
    records.sequences.add({{Kept::kNot, i, Kept::kNot}, i, {.number = i, .time_ns = 2}, 100, {}, nullptr});
  }
  records.sequences.finish();
  size_t troubled = 0, first = 0;
  for (const Kept::Record& record : records.sequences.records()) {
    const bool worst = record.at.time_ns == 1;
    CHECK((worst ? record.at.number >= kAll - PageRecords::kMostTroubled
                 : record.at.number < PageRecords::kMostFirst));
    ++(worst ? troubled : first);
  }
  CHECK(troubled == PageRecords::kMostTroubled);
  CHECK(first == PageRecords::kMostFirst);
}

TEST_CASE("product: a page tells the losses that took the longest") {
  track::Connection connection;
  loss::Ledger ledger;
  for (uint64_t i = 0; i <= PageRecords::kMostLosses; ++i) {
    flow::Loss one;
    one.since = {.number = i + 1, .time_ns = 0};
    one.resent = {.number = i + 2, .time_ns = static_cast<int64_t>(i) + 1};
    one.accepted = one.resent;
    ledger.note(connection, one);
  }
  const std::vector<loss::Entry> told = ledger.longest(PageRecords::kMostLosses);
  REQUIRE(told.size() == PageRecords::kMostLosses);
  CHECK(told.front().loss.since.number == 2);
}

}  // namespace
}  // namespace steertag::product
