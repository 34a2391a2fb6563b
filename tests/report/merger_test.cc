// The output of several shares put together, and the numbers that connections get.
#include "report/merger.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "report/share.h"

using namespace steertag;
using namespace steertag::report;
using flow::Numbering;
using flow::Promise;
using track::ConnectionNumber;

namespace {

// A share of a capture: a Part and what prints into it.
struct Share final : flow::NumberingLog {
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

TEST_CASE("a number that was never given takes no memory") {
  Shares shares(1);
  shares[0].at(1).part.note(shares[0].now, Promise::redeemed, ConnectionNumber::provisional(1U << 30), 1);
  shares[0].says("-");
  CHECK(shares.merged() == "-");
  CHECK(shares.merger.number(0, ConnectionNumber::provisional(1U << 30)) == 0);
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

TEST_CASE("a share's records are read as they were written") {
  Share share;
  ConnectionNumber first, second;
  share.at(3).note(Promise::redeemed, first, 2);
  share.note(Promise::given, second, 9);
  share.says("{{\"conn\":{},\"message\":\"as on {} and {}\"}}\n", first, second, first);
  share.at(Moment::kEnd, 4, UINT64_MAX).says("{{\"type\":\"rpc\",\"text\":\"{}\"}}\n", R"(,\"share\":[1]})");
  Buffer written;
  std::vector<Piece> pieces;
  for (Piece piece; share.part.next(piece);) {
    pieces.push_back(piece);
    put_piece(written, piece);
  }
  std::string_view rest = view(written);
  CHECK(rest.find(ConnectionNumber::kMark) == std::string_view::npos);
  for (const Piece& expected : pieces) {
    const size_t end = rest.find('\n');
    Piece piece;
    std::string text;
    REQUIRE(read_piece(rest.substr(0, end), piece, text));
    CHECK(piece.at == expected.at);
    CHECK(piece.kind == expected.kind);
    CHECK(piece.promise == expected.promise);
    CHECK(piece.number == expected.number);
    CHECK(piece.order == expected.order);
    CHECK(piece.text == expected.text);
    rest.remove_prefix(end + 1);
  }
  CHECK(rest.empty());
}

TEST_CASE("what is no record of a share is not taken for one") {
  Piece piece;
  std::string text;
  for (const char* line :
       {"", "{}", R"({"type":"rpc"})", R"({"a":1,"share":[]})", R"({"a":1,"share":[1,2,3]})",
        R"({"a":1,"share":[1,99,0,0]})", R"({"a":1,"share":[1,1,0,0,3]})", R"({"a":1,"share":[1,1,0,0,99]})",
        R"({"a":1,"share":[1,1,0,0,5,5]})", R"({"a":0,"share":[1,1,0,0,5]})",
        R"({"a":01,"share":[1,1,0,0,5]})", "{\"a\":\"\x01\",\"share\":[1,1,0,0]}",
        R"({"type":"promise","what":7,"conn":1,"order":1,"share":[1,1,0,0]})",
        R"({"type":"promise","what":1,"conn":0,"order":1,"share":[1,1,0,0]})"}) {
    INFO(line);
    CHECK_FALSE(read_piece(line, piece, text));
  }
  CHECK(read_piece(R"({"a":1,"share":[1,1,0,0,5]})", piece, text));
}

TEST_CASE("what a share has counted is read as it was written") {
  ShareTotals totals;
  totals.counters.frames = 7;
  totals.counters.lost = 3;
  totals.counters.others.nfs_port = 2049;
  totals.findings.warning = 2;
  totals.rules = true;
  totals.tallies.resize(2);
  totals.tallies[1].kept = 5;
  totals.tallies[1].lacks[4] = 6;
  totals.required = "INV,CRD-01";
  totals.cut = "truncated";
  totals.status = 2;
  Buffer written;
  put_totals(written, totals);
  ShareTotals read;
  REQUIRE(read_totals(view(written).substr(0, written.size() - 1), read));
  Buffer again;
  put_totals(again, read);
  CHECK(view(again) == view(written));
  CHECK_FALSE(read_totals(view(written).substr(0, written.size() - 9), read));
  CHECK_FALSE(read_totals(R"({"type":"summary","files":1})", read));
  for (const std::string_view odd : {"\x0B", "\t", "\\u000b", "\xC3\xA9"}) {  // its words are ours
    std::string changed(view(written).substr(0, written.size() - 1));
    changed.insert(changed.find("\"cut\":\"") + 7, odd);
    CHECK_FALSE(read_totals(changed, read));
  }
}
