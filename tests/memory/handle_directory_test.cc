// On which other connection a handle is live in the memory of a host.
#include "memory/handle_directory.h"

#include <catch2/catch.hpp>
#include <vector>

#include "flow/numbering.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;
using rdma::Side;

namespace {

base::Address host(uint8_t last) {
  const std::vector<uint8_t> four = {10, 0, 0, last};
  return base::Address::ipv4(four);
}

// Between host 1 on side a and another.
track::Connection numbered(uint32_t number, uint8_t peer = 2) {
  track::Connection connection;
  connection.number = number;
  connection.order = number;
  connection.ends[0].address = host(1);
  connection.ends[1].address = host(peer);
  return connection;
}

}  // namespace

TEST_CASE("of several connections the one that began first is named, and never the one that asks") {
  HandleDirectory directory;
  track::Connection first = numbered(1), second = numbered(2), third = numbered(3);
  directory.add(third, Side::a, 7);
  directory.add(second, Side::a, 7);
  CHECK(directory.find(first, Side::a, 7) == 2);
  CHECK(directory.find(second, Side::a, 7) == 3);
  CHECK(directory.find(first, Side::b, 7) == 0);
  CHECK(directory.find(first, Side::a, 8) == 0);
  second.ended = rdma::EndReason::disconnect;
  CHECK(directory.find(first, Side::a, 7) == 3);
  third.last_frame.tap = Stamp::tap_of(1, 0);
  CHECK(directory.find(first, Side::a, 7) == 0);
}

TEST_CASE("what is withdrawn is forgotten") {
  HandleDirectory directory;
  track::Connection first = numbered(1), second = numbered(2), third = numbered(3);
  directory.add(first, Side::a, 7);
  directory.add(second, Side::a, 7);
  directory.remove(first, Side::a, 7);
  CHECK(directory.find(third, Side::a, 7) == 2);
  directory.remove(second, Side::a, 7);
  directory.remove(second, Side::a, 7);
  CHECK(directory.find(third, Side::a, 7) == 0);
  CHECK(directory.size() == 0);
}

TEST_CASE("a handle is looked for between the same two hosts, whichever side they are on") {
  HandleDirectory directory;
  track::Connection known = numbered(1), turned = numbered(2), other = numbered(3, 9);
  std::swap(turned.ends[0], turned.ends[1]);
  directory.add(known, Side::a, 7);
  CHECK(directory.find(turned, Side::b, 7) == 1);
  CHECK(directory.find(turned, Side::a, 7) == 0);
  CHECK(directory.find(other, Side::a, 7) == 0);
}

TEST_CASE("connections are numbered by their first frames as far as that can be known") {
  Numbering numbering;
  track::ConnectionNumber one, two, three, four;
  numbering.note(Promise::given, two, 2);
  numbering.note(Promise::given, one, 1);
  numbering.note(Promise::given, four, 4);
  numbering.note(Promise::broken, one, 1);  // it looked like it, and was not
  numbering.note(Promise::redeemed, three, 3);
  CHECK(two == 1);
  CHECK(three == 2);
  CHECK(one == 0);
  numbering.note(Promise::redeemed, one, 1);
  numbering.note(Promise::redeemed, two, 2);
  numbering.note(Promise::redeemed, four, 4);
  CHECK(one == 3);
  CHECK(two == 1);
  CHECK(four == 4);
}
