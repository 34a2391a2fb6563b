// Seats and Unread: which Advertisements there are, and what of them could not be read.
#include "memory/seats.h"

#include <catch2/catch.hpp>

#include "memory/advertised.h"

using namespace steertag::flow;
using namespace steertag::memory;
using steertag::rdma::Side;

TEST_CASE("an Advertisement is found by its seat until it leaves, and whoever sits there next is another") {
  Seats seats;
  Advertisement first, second, third;
  seats.take(first, 7);
  seats.take(second, 8);
  const Seats::Remembered remembered{first.seat, first.ordinal};
  CHECK(seats.find(remembered) == &first);
  CHECK(seats.find({second.seat, 8}) == &second);
  CHECK(seats.find({}) == nullptr);
  seats.leave(first);
  seats.leave(first);  // it has none any more
  CHECK(seats.find(remembered) == nullptr);
  seats.take(third, 9);
  CHECK(third.seat == remembered.seat);
  CHECK(seats.find(remembered) == nullptr);
  CHECK(seats.find({third.seat, 9}) == &third);
}

TEST_CASE("what could not be read is unknown for good, a Call that nobody can read as long as it is open") {
  Unread unread;
  Exchange exchange;
  exchange.requester = Side::b;
  Advertisement call;
  call.exchange = &exchange;
  unread.note_unreadable(call);
  CHECK(unread.any(Side::b));
  CHECK_FALSE(unread.any(Side::a));
  unread.note_over(call);
  unread.note_over(call);
  CHECK_FALSE(unread.any(Side::b));
  unread.note_cut(Side::a);
  unread.note_over(call);
  CHECK(unread.any(Side::a));
}
