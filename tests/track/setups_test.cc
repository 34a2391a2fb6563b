#include "track/setups.h"

#include <catch2/catch.hpp>

#include "track/ports.h"

using namespace steertag;
using track::Setup;
using track::Setups;

namespace {

const base::Address kClient = base::Address::lid(1), kServer = base::Address::lid(2);

Setup req(uint32_t qpn, uint32_t comm_id, int64_t time_ns = 0) {
  Setup setup;
  setup.half = {kServer, kClient, qpn};
  setup.active = true;
  setup.qpn = qpn;
  setup.comm_id = comm_id;
  setup.at.time_ns = time_ns;
  return setup;
}

Setup rep(uint32_t qpn, uint32_t comm_id, uint32_t answers, int64_t time_ns = 0) {
  Setup setup;
  setup.half = {kClient, kServer, qpn};
  setup.qpn = qpn;
  setup.comm_id = comm_id;
  setup.peer_comm_id = answers;
  setup.at.time_ns = time_ns;
  return setup;
}

}  // namespace

TEST_CASE("a REP finds the REQ that it answers, by Communication ID") {
  Setups setups;
  setups.hear(req(0x11, 7));
  setups.hear(req(0x12, 8));
  const Setup answer = setups.hear(rep(0x21, 99, 8));
  const Setup* found = setups.counterpart(answer);
  REQUIRE(found != nullptr);
  CHECK(found->qpn == 0x12);
  CHECK(setups.counterpart(rep(0x22, 100, 9)) == nullptr);
}

TEST_CASE("a REQ finds a REP that was shown before it, if that is not long ago") {
  Setups setups;
  setups.hear(rep(0x21, 99, 7, 1'000'000));
  CHECK(setups.counterpart(req(0x11, 7, 2'000'000)) != nullptr);
  CHECK(setups.counterpart(req(0x11, 7, 1'000'000'000)) == nullptr);
}

TEST_CASE("a REQ that is repeated says nothing new, with another Starting PSN it is another one") {
  Setups setups;
  Setup first = req(0x11, 7, 1);
  first.starting_psn = 100;
  setups.hear(first);
  Setup again = req(0x11, 7, 2);
  again.starting_psn = 100;
  CHECK(setups.hear(again).at.time_ns == 1);
  again.starting_psn = 200;
  CHECK(setups.hear(again).at.time_ns == 2);
  CHECK(setups.find(again.half)->starting_psn == 200u);
}

TEST_CASE("what is forgotten is found by no index") {
  Setups setups;
  setups.hear(req(0x11, 7));
  setups.forget({kServer, kClient, 0x11});
  CHECK(setups.find({kServer, kClient, 0x11}) == nullptr);
  CHECK(setups.request(kClient, kServer, 7) == nullptr);
  // The older of two with one Communication ID does not take the newer along.
  setups.hear(req(0x11, 7));
  setups.hear(req(0x12, 7));
  setups.forget({kServer, kClient, 0x11});
  REQUIRE(setups.request(kClient, kServer, 7) != nullptr);
  CHECK(setups.request(kClient, kServer, 7)->qpn == 0x12);
}

TEST_CASE("where too many wait, the oldest gives way") {
  Setups setups;
  for (uint32_t i = 0; i < Setups::kMax + 1; ++i) {
    setups.hear(req(i, i));
  }
  CHECK(setups.find({kServer, kClient, 0}) == nullptr);
  CHECK(setups.find({kServer, kClient, 1}) != nullptr);
  CHECK(setups.find({kServer, kClient, Setups::kMax}) != nullptr);
}

TEST_CASE("ports are found whether they are among the latest or not, and not after they are erased") {
  struct Link {};
  Link one, two, three;
  track::Ports<Link> ports;
  const auto half = [](uint32_t qpn) { return track::Half{kClient, kServer, qpn}; };
  ports.set(half(1), {&one, rdma::Side::a});
  ports.set(half(2), {&two, rdma::Side::b});
  ports.set(half(3), {&three, rdma::Side::a});
  for (int round = 0; round < 2; ++round) {
    CHECK(ports.find(half(1)).link == &one);
    CHECK(ports.find(half(2)).link == &two);
    CHECK(ports.find(half(2)).from == rdma::Side::b);
    CHECK(ports.find(half(3)).link == &three);
  }
  ports.erase(half(3));
  CHECK_FALSE(ports.find(half(3)));
  ports.set(half(1), {&two, rdma::Side::b});
  CHECK(ports.find(half(1)).link == &two);
}

TEST_CASE("a cut setup casts doubt on what the two hosts had by then") {
  track::CutSetups cut;
  cut.note(kServer, kClient, 5);
  CHECK(cut.since(kClient, kServer, 5));
  CHECK_FALSE(cut.since(kClient, kServer, 6));
  CHECK_FALSE(cut.since(kClient, base::Address::lid(3), 1));
}

TEST_CASE("of a REQ that is repeated for ever the first times are remembered, and no copy of a mirror") {
  constexpr int64_t kSecond = 1'000'000'000;
  Setups setups;
  setups.hear(req(0x11, 7, 1));
  CHECK(setups.hear(req(0x11, 7, Setup::kResent_ns)).again.empty());
  for (size_t i = 0; i <= Setup::kMostAgain; ++i) {
    setups.hear(req(0x11, 7, static_cast<int64_t>(i + 1) * kSecond));
  }
  const Setup& known = setups.hear(req(0x11, 7, 1000 * kSecond));
  CHECK(known.at.time_ns == 1);
  REQUIRE(known.again.size() == Setup::kMostAgain);
  CHECK(known.again.front().time_ns == kSecond);
}
