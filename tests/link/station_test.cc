#include "link/station.h"

#include <catch2/catch.hpp>

#include "track/connection.h"

using namespace steertag;
using namespace steertag::link;

namespace {

constexpr Mac kOne = {2, 0, 0, 0, 0, 1}, kOther = {2, 0xAB, 0, 0, 0, 0xFF};

}  // namespace

TEST_CASE("station: a MAC address and a VLAN, or none") {
  CHECK(Station(kOther, 20).mac() == "02:ab:00:00:00:ff");
  CHECK(Station(kOther, 20).vlan() == 20);
  CHECK(Station(kOther, 0).vlan() == 0);
  CHECK_FALSE(Station(kOther, {}).vlan());
  CHECK(Station(kOther, {}).known());
  CHECK(Station(kOne, 20) != Station(kOne, 21));
  CHECK(Station(kOne, 20) != Station(kOther, 20));
  CHECK_FALSE(Station(Mac{}, 20).known());
  CHECK_FALSE(Station(Mac{}, 20).vlan());
  CHECK(Station().mac().empty());
}

TEST_CASE("station: changes of it are counted, what is not known is none") {
  track::LinkChanges changes;
  const auto note = [&](const Station& now, uint64_t frame) { changes.note(now, {.number = frame}); };
  note(Station(kOne, {}), 1);
  note(Station(), 2);
  note(Station(kOne, {}), 3);
  CHECK(changes.count == 0);
  note(Station(kOne, 7), 4);
  CHECK((changes.count == 1 && changes.at.number == 4));
  CHECK((changes.before == Station(kOne, {}) && changes.latest == Station(kOne, 7)));
  note(Station(kOther, 7), 5);
  note(Station(kOne, 7), 6);
  CHECK((changes.count == 3 && changes.at.number == 6));
}

TEST_CASE("station: changes are told of an end that one tap saw, each packet once") {
  track::Connection connection;
  track::End& end = connection.end(rdma::Side::a);
  CHECK_FALSE(track::link_changes(connection, rdma::Side::a));
  end.link_changes.note(Station(kOne, {}), {.number = 1});
  end.link_changes.note(Station(kOther, {}), {.number = 2});
  CHECK(track::link_changes(connection, rdma::Side::a));
  CHECK_FALSE(track::link_changes(connection, rdma::Side::b));
  end.copies = 1;
  CHECK_FALSE(track::link_changes(connection, rdma::Side::a));
  end.copies = 0;
  connection.several_taps = true;
  CHECK_FALSE(track::link_changes(connection, rdma::Side::a));
}
