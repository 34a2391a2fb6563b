#include "stats/pace.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "stats/made.h"

namespace steertag::stats {
namespace {

// A READ that was sent then and answered so long after.
flow::Exchange read_at(const track::Connection& connection, int64_t at_ns, int64_t took_ns,
                       uint32_t granted = 0) {
  MadeRpc made(connection, 1, at_ns);
  made.exchange.reply->time_ns = at_ns + took_ns;
  made.exchange.reply_message.kept = granted != 0;
  made.exchange.reply_message.header.credit = granted;
  return made.exchange;
}

Pace::Interval sum(const Pace& pace) {
  Pace::Interval all;
  for (const auto& [place, interval] : pace.intervals()) {
    all.add(interval);
  }
  return all;
}

std::string text(const Pace& pace) {
  std::string made = std::to_string(pace.length_ns()) + ":";
  for (const auto& [place, interval] : pace.intervals()) {
    made += " " + std::to_string(pace.start_ns(place)) + " " + std::to_string(interval.outstanding_ns) + " " +
            std::to_string(interval.at_limit_ns) + " " + std::to_string(interval.to_server) + " " +
            std::to_string(interval.to_client);
  }
  return made;
}

TEST_CASE(
    "Pace: what a Call waited goes to the intervals that it waited in, its bytes to that of the Reply") {
  const track::Connection connection = made_connection();
  Pace pace;
  flow::Exchange exchange = read_at(connection, 1000, 2000, 32);
  exchange.timing.at_credit_limit_ns = 500;
  pace.note(exchange);
  CHECK(text(pace) == "1024: 0 24 500 0 0 1024 1024 0 0 0 2048 952 0 100 4000");
  CHECK(pace.intervals().at(2).granted_min == 32);
  CHECK_FALSE(pace.intervals().at(0).granted_min);
}

TEST_CASE("Pace: the longer it lasts, the longer are its intervals, and nothing of it is lost") {
  const track::Connection connection = made_connection();
  Pace pace;
  for (int64_t i = 0; i < 10'000; ++i) {
    pace.note(read_at(connection, i * kMs, 100 * kUs, static_cast<uint32_t>(10'000 - i)));
  }
  CHECK(pace.intervals().size() <= Pace::kMaxIntervals);
  CHECK(pace.intervals().size() > Pace::kMaxIntervals / 4);
  const Pace::Interval all = sum(pace);
  CHECK(all.outstanding_ns == 10'000 * 100'000);
  CHECK(all.to_server == 1'000'000);
  CHECK(all.to_client == 40'000'000);
  CHECK(all.granted_min == 1);
}

TEST_CASE("Pace: the same whatever order RPCs come in") {
  const track::Connection connection = made_connection();
  std::vector<flow::Exchange> exchanges;
  for (int64_t i = 0; i < 1000; ++i) {
    exchanges.push_back(read_at(connection, i * i * kUs, (i % 7) * kMs));
  }
  Pace forth, back;
  for (size_t i = 0; i < exchanges.size(); ++i) {
    forth.note(exchanges[i]);
    back.note(exchanges[exchanges.size() - 1 - i]);
  }
  CHECK(text(forth) == text(back));
}

TEST_CASE("Pace: an RPC that lasts for a year, and times before the epoch") {
  const track::Connection connection = made_connection();
  Pace pace;
  const int64_t year_ns = 365 * 24 * 3600 * kSecond;
  pace.note(read_at(connection, -year_ns / 2, year_ns));
  CHECK(pace.intervals().size() <= Pace::kMaxIntervals);
  CHECK(sum(pace).outstanding_ns == static_cast<uint64_t>(year_ns));
}

TEST_CASE("Pace: callbacks go the other way and need no credit of the client") {
  const track::Connection connection = made_connection();
  flow::Exchange exchange = read_at(connection, 0, 100, 5);
  exchange.backward = true;
  Pace pace;
  pace.note(exchange);
  CHECK(text(pace) == "1024: 0 0 0 4000 100");
  CHECK_FALSE(pace.intervals().at(0).granted_min);
}

TEST_CASE("Paces: of the first connections, by the numbers that they have among all") {
  const track::Connection first = made_connection(1), last = made_connection(Paces::kMaxConnections + 1);
  Paces share, all;
  share.note(read_at(first, 0, 100));
  share.note(read_at(last, 0, 100));
  CHECK(share.by_number().size() == 1);
  all.take_over(share, [](track::ConnectionNumber number) {
    CHECK(number.provisional());
    return track::ConnectionNumber(uint32_t{number} + 6);
  });
  REQUIRE(all.by_number().size() == 1);
  CHECK(all.by_number().begin()->first == 7);
  CHECK(share.by_number().empty());
}

}  // namespace
}  // namespace steertag::stats
