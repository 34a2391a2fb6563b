// Read Responses that go again, of which no copy need have been lost.
#include "timing/discarded.h"

#include <catch2/catch.hpp>

#include "timing/loss_link.h"

using namespace steertag;
using namespace steertag::timing;
using namespace steertag::timing::test;

TEST_CASE("discarded: Read Responses behind a hole need not have been lost") {
  const bool behind = GENERATE(true, false);
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp early = link.responds(21);
  link.repeats(20, hole);
  const Stamp late = link.responds(22);
  link.asks_again(behind ? 21 : 22);
  link.responds_again(behind ? 21 : 22, behind ? early : late);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].packets == 1);
  CHECK(link.all()[1].packets == (behind ? 0 : 1));
}

TEST_CASE("discarded: those that another tap saw may have come before the hole was mended, or behind that") {
  Link link;
  const Stamp hole = link.responds(20);
  Stamp early = link.responds(21);
  early.tap = 1;
  link.repeats(20, hole);
  link.repeats(21, early);
  CHECK(link.all().back().packets == 1);
}

TEST_CASE("discarded: where what lies between is not asked for any more, there was no hole") {
  Link link;
  const Stamp hole = link.responds(20);
  link.responds(21);
  const Stamp behind = link.responds(22);
  link.repeats(20, hole);
  link.repeats(22, behind);
  CHECK(link.all().back().packets == 1);
}

TEST_CASE("discarded: also what went again while the hole was there") {
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(21);
  link.repeats(20, hole);
  link.responds_again(21, behind);
  link.repeats(20, hole);
  link.repeats(21, behind);
  REQUIRE(link.all().size() == 3);
  CHECK(link.all()[0].packets + link.all()[1].packets == 2);
  CHECK(link.all()[2].first == 21);
  CHECK(link.all()[2].packets == 0);
}

TEST_CASE("discarded: also what was asked for in front of the hole, which is mended only then") {
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(21);
  link.asks_again(21);  // the Request for 20 was lost
  link.responds_again(21, behind);
  link.repeats(20, hole);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].packets + link.all()[1].packets == 1);
  CHECK(link.all()[link.all()[0].first == 20 ? 0 : 1].packets == 1);
}

TEST_CASE("discarded: a hole that goes again and is lost again lasts from its first copy on") {
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(30);
  link.repeats(20, hole);
  link.repeats(30, behind);  // what lies between was not asked for again: its Request was lost
  link.repeats(20, hole);
  REQUIRE(link.all().size() == 3);
  for (const Loss& loss : link.all()) {
    CHECK(loss.packets == (loss.first == 20 ? 1 : 0));
  }
}

TEST_CASE("discarded: a Read Response that is sent again and lost again is another loss") {
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(21);
  link.repeats(20, hole);
  link.responds_again(21, behind);
  link.responds(22);  // asked for before what is missing is asked for again
  link.repeats(21, behind);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[1].first == 21);
  CHECK(link.all()[1].packets == 1);
}

TEST_CASE("discarded: where the Response that is asked for does not come, those behind it were not lost") {
  Link link;
  link.responds(20);
  const Stamp behind = link.responds(21);
  link.asks_again(20);
  link.responds_again(21, behind);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all()[0].packets == 0);
}

TEST_CASE("discarded: what was asked for again and did not come was lost, or its Request was") {
  const bool asked = GENERATE(true, false);
  const bool soon = GENERATE(true, false);
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(21);
  link.asks_again(20, asked ? 22 : 21);
  link.responds_again(20, hole);
  link.asks_again(21, 22, soon ? kMs : 2 * kFastNs);
  link.responds_again(21, behind);
  REQUIRE(link.all().size() == 2);
  const Loss& loss = link.all()[1];
  CHECK(loss.packets == (asked && !soon ? 1 : 0));
  CHECK((loss.where == Loss::Where::unknown) == (asked && !soon));
}

// Twenty goes again, and 21 behind an acknowledgment; then 21 is asked for again.
struct Passing {
  enum class When { never, before, between, in_front_of_another };
  Link link;

  const Loss& last(When when, int64_t after_ns = kMs) {
    const Stamp hole = link.responds(20);
    const Stamp behind = link.responds(21);
    const Stamp next = link.responds(22);
    link.asks_again(20);
    acknowledge(when == When::before);
    link.responds_again(20, hole);
    acknowledge(when == When::between);
    link.responds_again(21, behind);
    acknowledge(when == When::in_front_of_another);
    link.responds_again(22, next);
    link.asks_again(21, 0, after_ns);
    link.responds_again(21, behind);
    REQUIRE(link.all().size() == 2);
    CHECK(link.all()[0].packets == 1);
    return link.all()[1];
  }
  void acknowledge(bool at_all) {
    if (at_all) {
      link.losses.acknowledged_again(Side::a, 25, link.now());
    }
  }
};

TEST_CASE(
    "discarded: a Requester asks again where what follows a Read was acknowledged, and its Responses come") {
  using When = Passing::When;
  CHECK(Passing().last(When::never).packets == 1);
  CHECK(Passing().last(When::before).packets == 1);
  CHECK(Passing().last(When::between).packets == 0);
  CHECK(Passing().last(When::between, kFastNs).packets == 1);
  CHECK(Passing().last(When::in_front_of_another).packets == 1);
}

TEST_CASE("discarded: an acknowledgment of something new tells it the same") {
  Link link;
  const Stamp hole = link.responds(20);
  const Stamp behind = link.responds(21);
  link.repeats(20, hole);
  link.losses.accepted(Side::a, 25, link.now());
  link.responds_again(21, behind);
  link.repeats(21, behind);
  CHECK(link.all().back().packets == 0);
}
