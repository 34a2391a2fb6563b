// On which other connection a handle is live in the memory of a host.
#include "flow/handle_directory.h"

#include <catch2/catch.hpp>
#include <vector>

#include "flow/numbering.h"

using namespace steertag;
using namespace steertag::flow;

namespace {

base::Address host(uint8_t last) {
  const std::vector<uint8_t> four = {10, 0, 0, last};
  return base::Address::ipv4(four);
}

track::Connection numbered(uint32_t number) {
  track::Connection connection;
  connection.number = number;
  connection.order = number;
  return connection;
}

}  // namespace

TEST_CASE("of several connections the one with the smallest number is named, and never the one that asks") {
  HandleDirectory directory;
  track::Connection first = numbered(1), second = numbered(2), third = numbered(3);
  directory.add(host(1), 7, third);
  directory.add(host(1), 7, second);
  CHECK(directory.find(host(1), 7, first) == 2);
  CHECK(directory.find(host(1), 7, second) == 3);
  CHECK(directory.find(host(2), 7, first) == 0);
  CHECK(directory.find(host(1), 8, first) == 0);
  second.ended = rdma::EndReason::disconnect;
  CHECK(directory.find(host(1), 7, first) == 3);
  third.last_frame.file = 1;
  CHECK(directory.find(host(1), 7, first) == 0);
}

TEST_CASE("what is taken back is forgotten") {
  HandleDirectory directory;
  track::Connection first = numbered(1), second = numbered(2), third = numbered(3);
  directory.add(host(1), 7, first);
  directory.add(host(1), 7, second);
  directory.remove(host(1), 7, first);
  CHECK(directory.find(host(1), 7, third) == 2);
  directory.remove(host(1), 7, second);
  directory.remove(host(1), 7, second);
  CHECK(directory.find(host(1), 7, third) == 0);
  CHECK(directory.size() == 0);
}

TEST_CASE("connections are numbered by their first frames as far as that can be known") {
  struct Client final : Numbering::Client {
    track::Connection known;
    int told = 0;
    explicit Client(uint64_t order) { known.order = order; }
    track::Connection& connection() override { return known; }
    void on_numbered() override { ++told; }
  };
  Numbering numbering;
  Client one(1), two(2), three(3), four(4);
  numbering.note_promising(two);
  numbering.note_promising(one);
  numbering.note_promising(four);
  numbering.forget(one);  // it looked like it, and was not
  numbering.claim(three);
  CHECK(two.known.number == 1);
  CHECK(three.known.number == 2);
  CHECK(one.known.number == 0);
  numbering.claim(one);
  numbering.claim(two);
  numbering.claim(four);
  CHECK(one.known.number == 3);
  CHECK(two.known.number == 1);
  CHECK(four.known.number == 4);
  CHECK(two.told == 1);
}
