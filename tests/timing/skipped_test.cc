// What was sent again, but in front of the tap only.
#include "timing/skipped.h"

#include <catch2/catch.hpp>

#include "timing/loss_link.h"

using namespace steertag;
using namespace steertag::timing;
using namespace steertag::timing::test;

namespace {

rdma::Late at(uint64_t begin, uint64_t asks_until = 0) {
  rdma::Late late;
  late.again = true;
  late.begin = begin;
  late.end = begin + 1;
  late.asks_until = asks_until;
  return late;
}

rdma::Late later(rdma::Late late) {
  late.at.time_ns = 10 * kMs;
  return late;
}

rdma::Late response(uint64_t begin) {
  rdma::Late late = at(begin);
  late.of_reads = true;
  return late;
}

}  // namespace

TEST_CASE("skipped: a stretch is told once, from where it begins again") {
  Skipped skipped;
  skipped.skip(10, 9, at(15));
  CHECK(skipped.begin(later(at(9)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(15)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(12)), std::nullopt) == 15);
  CHECK(skipped.begin(later(at(13)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(10)), std::nullopt) == 12);
  CHECK(skipped.begin(later(at(10)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(11)), std::nullopt) == 12);
}

TEST_CASE("skipped: what went again since is not, though it was skipped several times") {
  Skipped skipped;
  skipped.skip(10, 9, at(12));
  skipped.skip(10, 9, at(15));
  skipped.go_on(at(10));
  CHECK(skipped.begin(later(at(10)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(11)), std::nullopt) == 15);
}

TEST_CASE("skipped: what comes at once, and nobody asked for, comes out of order") {
  Skipped skipped;
  skipped.skip(10, 9, at(12));
  CHECK(skipped.begin(at(10), std::nullopt) == 0);
  skipped.skip(10, 9, at(12));
  CHECK(skipped.begin(at(10), Complaint{}) == 12);
}

TEST_CASE("skipped: of Responses that one Request asks for, also at its begin and its end") {
  const auto from = [](uint64_t place, uint64_t late) {
    Skipped skipped;
    skipped.asks(at(10, 20));
    skipped.asks(at(20, 30));
    skipped.skip(place, place - 1, response(late));
    return skipped.begin(later(response(place)), std::nullopt);
  };
  CHECK(from(12, 14) == 14);
  CHECK(from(19, 22) == 20);  // the other one may have been lost
  CHECK(from(20, 22) == 22);
  CHECK(from(20, 30) == 0);
  CHECK(from(30, 31) == 0);
}

TEST_CASE("skipped: so many stretches and Requests are remembered") {
  Skipped skipped;
  for (size_t i = 0; i <= Skipped::kMost; ++i) {
    skipped.asks(at(10 * i, 10 * i + 10));
    skipped.skip(10 * i + 1, 0, at(10 * i + 2));
  }
  CHECK(skipped.begin(later(at(1)), std::nullopt) == 0);
  CHECK(skipped.begin(later(at(11)), std::nullopt) == 12);
  skipped.skip(1, 0, response(2));
  CHECK(skipped.begin(later(response(1)), std::nullopt) == 0);
  CHECK(skipped.bytes() <= 4 * Skipped::kMost * 16);
}

TEST_CASE("skipped: a packet that a NAK asked for in vain was lost in front of the tap") {
  const bool seen = GENERATE(true, false);
  Link link;
  link.sent(20);
  const Stamp second = link.sent(21);
  const Stamp third = link.sent(22);
  link.nak(20);
  link.again(20, link.sent(20));
  if (seen) {
    link.again(21, second);
  }
  link.again(22, third);
  link.nak(21);
  link.again(21, second);
  const Loss& loss = link.all().back();
  CHECK(loss.first == 21);
  CHECK(loss.packets == 1);
  CHECK((loss.where == Loss::Where::after_tap) == seen);
}

TEST_CASE(
    "skipped: where the first that a NAK asks for is skipped, what is sent again need not have been lost") {
  Link link;
  const Stamp first = link.sent(20);
  const Stamp second = link.sent(21);
  link.nak(20);
  link.again(21, second);
  link.nak(20);
  link.again(20, first);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].packets == 0);
  CHECK(link.all()[1].packets == 1);
  CHECK(link.all()[1].where == Loss::Where::before_tap);
}

TEST_CASE("skipped: Responses that are missing within what one Request asks for") {
  const bool one = GENERATE(true, false);
  Link link;
  const Stamp first = link.responds(20);
  const Stamp second = link.responds(21), third = link.responds(22), fourth = link.responds(23);
  link.asks_again(20, one ? 24 : 21);
  if (!one) {
    link.asks_again(21, 23);
    link.asks_again(23, 24);
  }
  link.responds_again(20, first);
  link.responds_again(23, fourth);
  link.asks_again(21, 24, kFastNs);
  link.responds_again(21, second);
  link.responds_again(22, third);
  const Loss& loss = link.all().back();
  CHECK(loss.first == 21);
  CHECK((loss.where == Loss::Where::before_tap) == one);
  CHECK((loss.packets == 2) == one);
}
