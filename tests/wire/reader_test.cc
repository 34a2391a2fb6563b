#include "wire/reader.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/list.h"
#include "wire/writer.h"

using namespace steertag;
using namespace wire;

namespace {

struct Pair {
  uint32_t first = 0;
  uint16_t second = 0;
  Range at;
  static void layout(auto& w, auto& p) {
    w("first", p.first);
    w("second", p.second);
  }
  friend bool operator==(const Pair& a, const Pair& b) { return a.first == b.first && a.second == b.second; }
};

using Octets = std::vector<uint8_t>;

}  // namespace

TEST_CASE("numbers are big-endian, of every width") {
  const Octets bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  Reader reader(bytes);
  uint8_t a = 0;
  uint16_t b = 0;
  uint32_t c = 0, d = 0;
  uint64_t e = 0;
  reader("a", a);
  reader("b", b);
  reader.u24("c", c);
  reader("d", d);
  reader.hex("e", e);
  CHECK(a == 0x01);
  CHECK(b == 0x0203);
  CHECK(c == 0x040506);
  CHECK(d == 0x0708090a);
  CHECK(e == 0x0b0c0d0e0f101112);
  CHECK(reader.remaining() == 0);
  CHECK_FALSE(reader.stopped());
}

TEST_CASE("the first failure is kept and everything after it is zero") {
  const Octets bytes = {0, 0, 0, 1, 0, 0, 0, 2, 9};
  Reader reader(bytes);
  uint32_t a = 7, b = 7, c = 7;
  uint8_t d = 7;
  reader("a", a);
  reader("b", b);
  reader("c", c);
  reader("d", d);  // would fit, but reading is over
  CHECK(a == 1);
  CHECK(b == 2);
  CHECK(c == 0);
  CHECK(d == 0);
  REQUIRE(reader.stopped());
  CHECK(std::string(reader.stop()->field) == "c");
  CHECK(*reader.stop() == Stop{reader.stop()->field, 8, 4, 1, Limit::message});
}

TEST_CASE("the limit distinguishes a cut capture from a short message") {
  const Octets bytes = {0, 0};
  const auto limit_at = [&](size_t wire_length, Limit limit) {
    Reader reader(bytes, wire_length, limit);
    uint32_t a = 0;
    reader("a", a);
    return reader.stop()->limit;
  };
  CHECK(limit_at(2, Limit::message) == Limit::message);
  CHECK(limit_at(3, Limit::message) == Limit::message);
  CHECK(limit_at(4, Limit::message) == Limit::capture);
  CHECK(limit_at(100, Limit::message) == Limit::capture);
  CHECK(limit_at(2, Limit::segment) == Limit::segment);
  CHECK(limit_at(0, Limit::message) == Limit::message);  // never shorter than what was captured
}

TEST_CASE("a list holds the elements that are whole") {
  const Octets bytes = {0, 0, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0, 0, 3, 0};
  base::List<Pair> list;
  Reader reader(bytes);
  reader.counted("pairs", list);
  REQUIRE(list.size() == 1);
  CHECK(list[0] == Pair{1, 2, {}});
  CHECK(list[0].at == Range{4, 6});
  CHECK(std::string(reader.stop()->field) == "second");
}

TEST_CASE("an opaque steps over its pad") {
  const Octets bytes = {0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0xee};
  Reader reader(bytes);
  Bytes view;
  reader.opaque("data", view);
  CHECK(view.size() == 5);
  CHECK(view.data() == bytes.data() + 4);
  CHECK(reader.offset() == 12);
  CHECK_FALSE(reader.nonzero_pad());

  Reader copying(bytes);
  Octets copy;
  copying.opaque("data", copy);
  CHECK(copy == Octets{1, 2, 3, 4, 5});
}

TEST_CASE("an opaque whose pad is missing or not zero") {
  Octets copy;
  const Octets missing = {0, 0, 0, 1, 9, 0};
  Reader stopped(missing);
  stopped.opaque("data", copy);
  REQUIRE(stopped.stopped());
  CHECK(stopped.stop()->offset == 5);
  CHECK(copy == Octets{9});

  const Octets dirty = {0, 0, 0, 2, 9, 9, 0, 1};
  Reader remembered(dirty);
  remembered.opaque("data", copy);
  CHECK_FALSE(remembered.stopped());
  CHECK(*remembered.nonzero_pad() == Range{6, 2});
}

TEST_CASE("an opaque of 4 GiB in a short message stops") {
  const Octets bytes = {0xff, 0xff, 0xff, 0xff, 1, 2};
  Octets copy;
  Reader reader(bytes);
  reader.opaque("data", copy);
  REQUIRE(reader.stopped());
  CHECK(*reader.stop() == Stop{reader.stop()->field, 4, UINT32_MAX, 2, Limit::message});
  CHECK(copy.empty());
}

namespace {

// A word inside an opaque<>, then what the word leaves, then a word behind it.
struct Walked {
  uint32_t inner = 0, behind = 0;
  Octets left;
  std::optional<Stop> stop;
  uint32_t offset = 0;
};

Walked walk(const Octets& bytes, size_t wire_length) {
  Walked result;
  Reader reader(bytes, wire_length);
  reader.enclosed("box", [&](auto& r) {
    r("inner", result.inner);
    r.remainder("left", result.left);
  });
  reader("behind", result.behind);
  result.stop = reader.stop();
  result.offset = reader.offset();
  return result;
}

}  // namespace

TEST_CASE("an enclosed structure is bounded by its opaque") {
  const Octets bytes = {0, 0, 0, 6, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 4};
  const Walked walked = walk(bytes, bytes.size());
  CHECK_FALSE(walked.stop);
  CHECK(walked.inner == 1);
  CHECK(walked.left == Octets{2, 3});
  CHECK(walked.behind == 4);
}

TEST_CASE("an enclosed structure that is too short stops, and the end of its opaque is found") {
  const Octets bytes = {0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 4};
  const Walked walked = walk(bytes, bytes.size());
  REQUIRE(walked.stop);
  CHECK(*walked.stop == Stop{walked.stop->field, 4, 4, 3, Limit::segment});
  CHECK(walked.offset == 8);
  CHECK(walked.behind == 0);
}

TEST_CASE("an enclosed structure that the capture cut stops at the cut") {
  const Octets bytes = {0, 0, 0, 8, 0, 0, 0, 1, 2};
  const Walked walked = walk(bytes, 16);
  REQUIRE(walked.stop);
  CHECK(walked.inner == 1);
  CHECK(*walked.stop == Stop{walked.stop->field, 8, 4, 1, Limit::capture});
  CHECK(std::string(walked.stop->field) == "left");
}

TEST_CASE("an opaque that is longer than the message encloses nothing") {
  const Octets bytes = {0, 0, 0, 13, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  const Walked walked = walk(bytes, bytes.size());
  REQUIRE(walked.stop);
  CHECK(std::string(walked.stop->field) == "box");
  CHECK(*walked.stop == Stop{walked.stop->field, 4, 13, 12, Limit::message});
  CHECK(walked.inner == 0);
}

TEST_CASE("a Writer writes what a Reader reads") {
  Octets out;
  Writer writer(out);
  const std::array<uint8_t, 2> raw = {0xab, 0xcd};
  base::List<Pair> list;
  list.push_back({1, 2, {}});
  const Octets tail = {7};
  writer.array("raw", raw);
  writer.u24("u24", 0x010203);
  writer.chain("chain", list);
  writer.optional("optional", list);
  writer.enclosed("box", [&](auto& w) { w.remainder("left", tail); });
  CHECK(out == Octets{0xab, 0xcd, 1, 2, 3,                             //
                      0,    0,    0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0,  // chain
                      0,    0,    0, 1, 0, 0, 0, 1, 0, 2,              // optional
                      0,    0,    0, 1, 7, 0, 0, 0});

  Reader reader(out);
  std::array<uint8_t, 2> raw_again{};
  uint32_t u24 = 0;
  base::List<Pair> chain, optional;
  Octets left;
  reader.array("raw", raw_again);
  reader.u24("u24", u24);
  reader.chain("chain", chain);
  reader.optional("optional", optional);
  reader.enclosed("box", [&](auto& r) { r.remainder("left", left); });
  CHECK_FALSE(reader.stopped());
  CHECK(raw_again == raw);
  CHECK(u24 == 0x010203);
  CHECK(chain == list);
  CHECK(optional == list);
  CHECK(left == tail);
}
