#include "stats/disturbances.h"

#include <catch2/catch.hpp>

#include "stats/made.h"

namespace steertag::stats {
namespace {

using Kind = flow::Disturbance::Kind;
using Wanted = Disturbances::Wanted;

flow::Disturbance made(Kind kind, rdma::Side from, int64_t at_ns) {
  return {kind, from, {.number = 1, .time_ns = at_ns}};
}

TEST_CASE("stats disturbances: counted by connection and interval, by who is client and who is server") {
  track::Connection one = made_connection(1), two = made_connection(2);
  two.client = rdma::Side::b;
  Disturbances counted(kSecond);
  for (const track::Connection* connection : {&two, &one}) {
    counted.note(*connection, made(Kind::sent_again, rdma::Side::a, 5 * kSecond));
    counted.note(*connection, made(Kind::sent_again, rdma::Side::a, 6 * kSecond - 1));
    counted.note(*connection, made(Kind::sent_again, rdma::Side::b, 6 * kSecond));
  }
  counted.note(one, made(Kind::nak, rdma::Side::a, 6 * kSecond));
  counted.note(one, made(Kind::rnr_nak, rdma::Side::a, 6 * kSecond));
  counted.note(one, made(Kind::zero_window, rdma::Side::a, 6 * kSecond));
  counted.note(one,
               track::Congestion{track::Congestion::Kind::marked, rdma::Side::a, {.time_ns = 6 * kSecond}});
  counted.note(one,
               track::Congestion{track::Congestion::Kind::notified, rdma::Side::a, {.time_ns = 6 * kSecond}});
  counted.note_pause({.time_ns = 6 * kSecond + 1});
  counted.note_pause({.time_ns = 7 * kSecond - 1});
  CHECK(counted.intervals().size() == 1);  // the connections are not over
  counted.close(two, Wanted::yes);
  counted.close(one, Wanted::yes);

  REQUIRE(counted.intervals().size() == 5);
  const auto at = [&](uint32_t connection, int64_t second) {
    return counted.intervals().at({connection, second * kSecond}).disturbed;
  };
  CHECK(at(0, 6) == Disturbed{.pauses = 2});
  CHECK(at(1, 5) == Disturbed{.again = {2, 0}});
  CHECK(at(1, 6) ==
        Disturbed{.again = {0, 1}, .naks = 1, .rnr_naks = 1, .zero_windows = 1, .ecn_ce = 1, .cnps = 1});
  CHECK(at(2, 5) == Disturbed{.again = {0, 2}});
  CHECK(at(2, 6) == Disturbed{.again = {1, 0}});
  CHECK(
      counted.all() ==
      Disturbed{
          .again = {3, 3}, .naks = 1, .rnr_naks = 1, .zero_windows = 1, .ecn_ce = 1, .cnps = 1, .pauses = 2});
  CHECK_FALSE(counted.rest().any());
}

TEST_CASE("stats disturbances: nothing of connections that are not asked for, or carry something else") {
  track::Connection one = made_connection(1), other = made_connection(2);
  other.rpcrdma = false;
  Disturbances counted(kSecond), none(0);
  for (Disturbances* each : {&counted, &none}) {
    for (const track::Connection* connection : {&one, &other}) {
      each->note(*connection, made(Kind::nak, rdma::Side::a, kSecond));
    }
    each->close(one, Wanted::no);
    each->close(other, Wanted::yes);
    each->close(other, Wanted::yes);
    CHECK_FALSE(each->all().any());
  }
  one.client.reset();
  counted.note(one, made(Kind::nak, rdma::Side::a, kSecond));
  none.note(one, made(Kind::nak, rdma::Side::a, kSecond));
  none.note(one, track::Congestion{.at = {.time_ns = kSecond}});
  none.note_pause({.time_ns = kSecond});
  counted.close(one, Wanted::yes);
  none.close(one, Wanted::yes);
  REQUIRE(counted.intervals().size() == 1);
  CHECK_FALSE(counted.intervals().begin()->second.roles_known);
  CHECK_FALSE(none.all().any());
}

TEST_CASE("stats disturbances: shares add up to the whole") {
  const track::Connection one = made_connection(1), two = made_connection(1);
  Disturbances first(kSecond), second(kSecond);
  first.note(one, made(Kind::nak, rdma::Side::a, kSecond));
  first.note_pause({.time_ns = kSecond});
  first.close(one, Wanted::yes);
  second.note(two, made(Kind::nak, rdma::Side::a, kSecond));
  second.note_pause({.time_ns = kSecond});
  second.close(two, Wanted::yes);
  first.take_over(second, [](track::ConnectionNumber number) {
    return number == 0 ? number : track::ConnectionNumber(number + 1);
  });
  REQUIRE(first.intervals().size() == 3);
  CHECK(first.intervals().at({0, kSecond}).disturbed == Disturbed{.pauses = 2});
  CHECK(first.intervals().at({1, kSecond}).disturbed == Disturbed{.naks = 1});
  CHECK(first.intervals().at({2, kSecond}).disturbed == Disturbed{.naks = 1});
}

TEST_CASE("stats disturbances: beyond so many intervals the rest is added up") {
  const track::Connection one = made_connection(1), other = made_connection(2);
  constexpr auto kMost = static_cast<int64_t>(Disturbances::kMaxIntervals);
  Disturbances counted(kSecond);
  for (int64_t second = 0; second < kMost; ++second) {
    counted.note(one, made(Kind::nak, rdma::Side::a, second * kSecond));
  }
  counted.note(other, made(Kind::rnr_nak, rdma::Side::a, 0));
  counted.note(one, made(Kind::nak, rdma::Side::a, kMost * kSecond));
  counted.note(one, made(Kind::nak, rdma::Side::a, 0));  // has its place
  counted.note_pause({.time_ns = 0});
  Disturbances whole = counted;
  counted.close(one, Wanted::yes);
  counted.close(other, Wanted::yes);
  CHECK(counted.intervals().size() == Disturbances::kMaxIntervals);
  CHECK(counted.intervals().at({1, 0}).disturbed.naks == 2);
  CHECK(counted.rest() == Disturbed{.naks = 1, .rnr_naks = 1, .pauses = 1});

  Disturbances second(kSecond);
  second.note(other, made(Kind::nak, rdma::Side::a, 0));
  second.note_pause({.time_ns = 0});
  second.close(other, Wanted::yes);
  counted.take_over(second, same_number);
  CHECK(counted.intervals().size() == Disturbances::kMaxIntervals);
  CHECK(counted.rest() == Disturbed{.naks = 2, .rnr_naks = 1, .pauses = 2});

  whole.close(one, Wanted::no);  // makes room
  whole.note(other, made(Kind::nak, rdma::Side::a, 0));
  whole.close(other, Wanted::yes);
  CHECK(whole.intervals().at({2, 0}).disturbed == Disturbed{.naks = 1});
}

}  // namespace
}  // namespace steertag::stats
