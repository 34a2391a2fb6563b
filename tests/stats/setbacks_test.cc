#include "stats/setbacks.h"

#include <catch2/catch.hpp>

#include "stats/made.h"

namespace steertag::stats {
namespace {

using Kind = flow::Disturbance::Kind;

flow::Disturbance numbered(uint64_t frame) {
  return {
      Kind::sent_again, rdma::Side::a, {.number = frame, .time_ns = static_cast<int64_t>(frame) * kSecond}};
}

std::vector<uint64_t> frames(const Setbacks::Some& some) {
  std::vector<uint64_t> numbers;
  for (const flow::Disturbance& one : some.told) {
    numbers.push_back(one.at.number);
  }
  return numbers;
}

TEST_CASE("stats setbacks: those of a connection from one time to another, of many the first and the last") {
  const track::Connection one = made_connection(1), other = made_connection(2);
  Setbacks setbacks;
  for (uint64_t frame = 1; frame <= 9; ++frame) {
    setbacks.note(one, numbered(frame));
  }
  setbacks.note(other, numbered(3));
  const auto between = [&](int64_t from, int64_t to, size_t most) {
    return setbacks.between(one, from * kSecond, to * kSecond, most);
  };
  CHECK(frames(between(2, 4, 3)) == std::vector<uint64_t>{2, 3, 4});
  CHECK(between(2, 4, 3).all == 3);
  CHECK(frames(between(0, 100, 5)) == std::vector<uint64_t>{1, 2, 7, 8, 9});
  CHECK(between(0, 100, 5).all == 9);
  CHECK(between(10, 100, 5).all == 0);
  CHECK(between(5, 4, 5).all == 0);
  CHECK(frames(setbacks.between(other, 0, 100 * kSecond, 5)) == std::vector<uint64_t>{3});
  setbacks.close(one);
  CHECK(between(0, 100, 5).all == 0);
  CHECK(setbacks.between(other, 0, 100 * kSecond, 5).all == 1);
  setbacks.close(one);  // unknown by now
}

TEST_CASE("stats setbacks: bounds: of one connection") {
  for (const size_t count : {Setbacks::kMostOfOne - 1, Setbacks::kMostOfOne, Setbacks::kMostOfOne + 1}) {
    const track::Connection connection = made_connection(1);
    Setbacks setbacks;
    for (uint64_t frame = 1; frame <= count; ++frame) {
      setbacks.note(connection, numbered(frame));
    }
    const Setbacks::Some some = setbacks.between(connection, 0, INT64_MAX, 2);
    CHECK(some.all == std::min(count, Setbacks::kMostOfOne));
    CHECK(some.told.back().at.number == count);  // the latest
  }
}

TEST_CASE("stats setbacks: bounds: of all connections") {
  for (const size_t count : {Setbacks::kMost - 1, Setbacks::kMost, Setbacks::kMost + 1}) {
    std::vector<track::Connection> connections;
    for (uint32_t i = 0; i <= Setbacks::kMost / Setbacks::kMostOfOne; ++i) {
      connections.push_back(made_connection(i + 1));
    }
    Setbacks setbacks;
    for (size_t i = 0; i < count; ++i) {
      setbacks.note(connections[i / Setbacks::kMostOfOne], numbered(i + 1));
    }
    size_t all = 0;
    for (const track::Connection& connection : connections) {
      all += setbacks.between(connection, 0, INT64_MAX, 2).all;
    }
    CHECK(all == std::min(count, Setbacks::kMost));
    setbacks.close(connections.front());
    setbacks.note(connections.back(), numbered(1));  // there is room again
    CHECK(setbacks.between(connections.back(), 0, INT64_MAX, 2).all >= 1);
  }
}

}  // namespace
}  // namespace steertag::stats
