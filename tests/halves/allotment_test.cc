// The hosts that each of several Followers gets.
#include "allotment.h"

#include <catch2/catch.hpp>

#include "base/address.h"

using namespace steertag;

namespace {

track::Arrival packet(uint8_t from, uint8_t to) {
  track::Arrival arrival;
  arrival.packet.source = base::Address::ipv4(std::array<uint8_t, 4>{10, 0, 0, from});
  arrival.packet.destination = base::Address::ipv4(std::array<uint8_t, 4>{10, 0, 0, to});
  return arrival;
}

}  // namespace

TEST_CASE("hosts that are new go to the Follower with the fewest packets") {
  Allotment allotment(2);
  CHECK(allotment.of(packet(1, 2)) == 0);
  CHECK(allotment.of(packet(3, 2)) == 1);
  CHECK(allotment.of(packet(1, 2)) == 0);
  CHECK(allotment.of(packet(4, 2)) == 1);  // one packet against two
}

TEST_CASE("packets between the same hosts stay with one Follower, either way") {
  Allotment allotment(3);
  const uint32_t first = allotment.of(packet(1, 2));
  for (int times = 0; times < 10; ++times) {
    CHECK(allotment.of(packet(2, 1)) == first);
  }
  CHECK(allotment.of(packet(5, 6)) != first);
  CHECK(allotment.of(packet(1, 2)) == first);  // although it has had the most
  CHECK(allotment.of(packet(2, 1)) == first);
}

TEST_CASE("what has no addresses stays with one Follower, too") {
  Allotment allotment(2);
  allotment.of(packet(1, 2));
  const uint32_t nowhere = allotment.of({});
  allotment.of(packet(1, 2));
  CHECK(nowhere == 1);
  CHECK(allotment.of({}) == nowhere);
}

TEST_CASE("more pairs of hosts than are remembered still have one Follower each") {
  Allotment allotment(7);
  track::Arrival arrival = packet(1, 2);
  const auto number = [&](uint32_t pair) {
    arrival.packet.source.octets[12] = static_cast<uint8_t>(pair >> 16);
    arrival.packet.source.octets[13] = static_cast<uint8_t>(pair >> 8);
    arrival.packet.source.octets[14] = static_cast<uint8_t>(pair);
  };
  for (uint32_t pair = 0; pair < Allotment::kMaxPairs; ++pair) {
    number(pair);
    allotment.of(arrival);
  }
  number(Allotment::kMaxPairs + 1);
  const uint32_t late = allotment.of(arrival);
  CHECK(late == arrival.share(7));
  number(0);
  CHECK(allotment.of(arrival) == 0);
  number(Allotment::kMaxPairs + 1);
  CHECK(allotment.of(arrival) == late);
}
