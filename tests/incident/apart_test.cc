// What came several times: an incident each time, where the times are long, few, and far apart.
#include "incident/apart.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "incident/standouts.h"
#include "report/incident.h"
#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::kSecond;
using stats::Standout;

struct Often {
  stats::Topic topic;
  stats::Load load;
  stats::Remark remark;

  Often() {
    load.number = 1;
    remark.kind = Standout::loss;
    remark.topic = &topic;
    remark.load = &load;
    remark.rpcs = 100;
  }
  void lost(int64_t at_ns, int64_t for_ns, uint64_t frame) {
    remark.evidence = {for_ns, {.number = frame, .time_ns = at_ns}, 1, 0};
    remark.when.note(at_ns, at_ns + for_ns, stats::Hit::of(remark.evidence));
  }
  std::vector<Incident> told() const {
    std::vector<Incident> found = {incident_of(remark, {&load})};
    tell_apart(found, {&load});
    return found;
  }
};

TEST_CASE("two blackouts with an hour between are two incidents, each with its own RPCs") {
  Often lossy;
  lossy.lost(0, 20 * kSecond, 7);
  lossy.lost(kSecond, 10 * kSecond, 8);
  lossy.lost(3600 * kSecond, 30 * kSecond, 9);
  lossy.lost(1800 * kSecond, kSecond / 2, 10);  // none by itself
  const std::vector<Incident> told = lossy.told();
  REQUIRE(told.size() == 2);
  CHECK(told[0].begin_ns == 0);
  CHECK(told[0].end_ns == 20 * kSecond);
  CHECK(told[0].rpcs == 2);
  CHECK(told[0].cost_ns == 30 * kSecond);
  CHECK(told[0].frames.front().number == 7);
  CHECK(told[1].begin_ns == 3600 * kSecond);
  CHECK(told[1].rpcs == 1);
  CHECK(report::sentence(told[1], {}) == "1 RPC waited 30.0 s for packets sent again: the one in frame 9");
}

TEST_CASE("what nothing got through in one of them is told there") {
  Often lossy;
  lossy.lost(0, 20 * kSecond, 7);
  lossy.lost(3600 * kSecond, 30 * kSecond, 9);
  lossy.load.client.outage = {
      .since = {.number = 6, .time_ns = 0}, .length_ns = 19 * kSecond, .repeated = stats::kOutageRepeats};
  const std::vector<Incident> told = lossy.told();
  REQUIRE(told.size() == 2);
  CHECK(report::sentence(told[0], {}).starts_with("For 19.0 s, from frame 6 on, nothing got through"));
  CHECK(told[0].frames.size() == 2);
  CHECK(told[1].frames.size() == 1);
}

TEST_CASE("times that are no further apart than they lasted are one") {
  for (const bool far : {false, true}) {
    Often lossy;
    lossy.lost(0, 600 * kSecond, 7);
    lossy.lost((far ? 1201 : 1200) * kSecond, kSecond, 8);
    CHECK(lossy.told().size() == (far ? 2 : 1));
  }
}

TEST_CASE("bounds: times that are an incident each") {
  for (const size_t count : {kMostApart - 1, kMostApart, kMostApart + 1}) {
    Often lossy;
    for (size_t i = 0; i < count; ++i) {
      lossy.lost(static_cast<int64_t>(i) * 3600 * kSecond, kSecond, i + 1);
    }
    CHECK(lossy.told().size() == (count > kMostApart ? 1 : count));
  }
}

TEST_CASE("of what was lost in all, an incident has what was lost then") {
  Often lossy;
  lossy.lost(0, 20 * kSecond, 7);
  lossy.lost(3600 * kSecond, 30 * kSecond, 9);
  const auto packets = [](uint64_t count) {
    LostPackets lost;
    lost.to_server.behind_tap = count;
    return lost;
  };
  stats::SpellsOf<LostPackets> lost;
  lost.note(2 * kSecond, 19 * kSecond, packets(1));
  lost.note(1000 * kSecond, 1000 * kSecond, packets(2));
  lost.note(3600 * kSecond, 3620 * kSecond, packets(4));
  const std::vector<Incident> told = lossy.told();
  REQUIRE(told.size() == 2);
  CHECK(lost_then(lost, told[0]).to_server.behind_tap == 1);
  CHECK(lost_then(lost, told[1]).to_server.behind_tap == 4);
  CHECK(lost_then(lost, incident_of(lossy.remark, {&lossy.load})).to_server.behind_tap == 7);
}

}  // namespace
}  // namespace steertag::incident
