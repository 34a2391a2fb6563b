// The output of several shares put together, and the numbers that connections get.
#include "report/merger.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace steertag;
using namespace steertag::report;
using flow::Numbering;
using flow::Promise;
using track::ConnectionNumber;

namespace {

// A share of a capture: a Part and what prints into it.
struct Share : flow::NumberingLog {
  Moment now;
  Part part;
  Numbering numbering{this};

  void on_promise(Promise promise, ConnectionNumber number, uint64_t order) override {
    part.note(now, promise, number, order);
  }

  Share& at(uint64_t frame, uint64_t since = 0, uint64_t order = 0) {
    now = {frame, since == 0 ? Moment::Phase::packet : Moment::Phase::agenda, since, order};
    return *this;
  }
  template <typename... Args>
  Share& says(fmt::format_string<Args...> format, Args&&... args) {
    print(part.buffer(), format, std::forward<Args>(args)...);
    part.done(now, Piece::Kind::record);
    return *this;
  }
  Share& heads(std::string_view text) {
    put(part.buffer(), text);
    part.done(now, Piece::Kind::heading);
    return *this;
  }
  void note(Promise promise, ConnectionNumber& number, uint64_t order) {
    numbering.note(promise, number, order);
  }
};

struct Shares {
  std::vector<std::unique_ptr<Share>> all;
  Merger merger;

  explicit Shares(size_t count) : merger(count) {
    while (all.size() < count) {
      all.push_back(std::make_unique<Share>());
    }
  }
  Share& operator[](size_t i) { return *all[i]; }
  std::string merged() {
    std::vector<Pieces*> pieces;
    for (const auto& share : all) {
      pieces.push_back(&share->part);
    }
    Buffer out;
    merger.merge(pieces, out, [] {});
    for (const auto& share : all) {
      share->part.clear();
    }
    return std::string(view(out));
  }
};

}  // namespace

TEST_CASE("what shares say is put in order of its Moments") {
  Shares shares(3);
  shares[0].at(1).says("a1 ").says("a1' ").at(7).says("a7 ");
  shares[2].at(2).says("c2 ").at(9, 3, 1).says("c9 ").at(9, 4, 0).says("c9' ");
  shares[1].at(9).says("b9 ").at(9, 3, 2).says("b9' ");
  CHECK(shares.merged() == "a1 a1' c2 a7 b9 c9 b9' c9' ");
  shares[1].at(10).says("b10 ");
  CHECK(shares.merged() == "b10 ");
  CHECK(shares.merged().empty());
}

TEST_CASE("of the headings of all shares the first is printed") {
  Shares shares(2);
  shares[1].at(1).heads("heading ").says("b ");
  shares[0].at(2).heads("heading ").says("a ");
  CHECK(shares.merged() == "heading b a ");
  shares[0].at(3).heads("heading ").says("a ");
  CHECK(shares.merged() == "a ");
}

TEST_CASE("provisional numbers become those that one process would have given") {
  Shares shares(2);
  ConnectionNumber first, second, third;
  shares[0].at(5).note(Promise::given, first, 1);  // looks like it since frame 1
  shares[1].at(6).note(Promise::redeemed, second, 2);
  shares[1].says("#{:<3}|", second);
  shares[1].at(8).note(Promise::redeemed, third, 7);
  shares[1].says("#{}|", third);
  shares[0].at(9).note(Promise::redeemed, first, 1);
  shares[0].says("#{:<4}|", first);
  CHECK(shares.merged() == "#2  |#3|#1   |");
  shares[1].at(10).says("{} and {}", third, second);
  CHECK(shares.merged() == "3 and 2");
  CHECK(shares.merger.number(0, first) == 1);
  CHECK(shares.merger.number(0, ConnectionNumber::provisional(9)) == 0);
}

TEST_CASE("whatever the number of shares, the numbers are those of one") {
  struct Event {
    size_t connection;
    Promise promise;
  };
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    constexpr size_t kConnections = 12;
    std::vector<Event> events;
    for (int i = 0; i < 40; ++i) {
      events.push_back({random() % kConnections, static_cast<Promise>(random() % 3)});
    }
    const auto run = [&](size_t count) {
      Shares shares(count);
      std::vector<ConnectionNumber> numbers(kConnections);
      std::vector<bool> claimed(kConnections);
      uint64_t frame = 100;
      for (const auto& [connection, promise] : events) {
        Share& share = shares[connection % count].at(++frame);
        if (claimed[connection]) {
          share.says("{} ", numbers[connection]);
          continue;
        }
        share.note(promise, numbers[connection], connection + 1);
        if (promise == Promise::redeemed) {
          claimed[connection] = true;
          share.says("{}! ", numbers[connection]);
        }
      }
      return shares.merged();
    };
    const std::string one = run(1);
    REQUIRE(run(2) == one);
    REQUIRE(run(7) == one);
  }
}
