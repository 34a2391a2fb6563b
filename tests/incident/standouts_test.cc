// What stands out, as incidents: whatever it is and whoever asks, the heading looks where the kind's name
// does.
#include "incident/standouts.h"

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/incident.h"
#include "report/names.h"
#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::kSecond;
using stats::Standout;

TEST_CASE("no incident is called by the name of one side, and looks at another") {
  const base::Address client = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 2});
  const base::Address server = base::Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 1});
  stats::Load load;
  load.number = 1;
  load.client.address = client;
  load.server.address = server;
  for (size_t kind = 0; kind < stats::standout_names.size(); ++kind) {
    for (const bool callback : {false, true}) {
      for (const bool alone : {false, true}) {
        stats::Topic topic;
        topic.server = callback ? client : server;  // who answers
        topic.callback = callback;
        topic.operation = {.program = 100003, .version = 4, .op = callback ? "CB_RECALL" : "OPEN"};
        stats::Remark remark;
        remark.kind = static_cast<Standout>(kind);
        remark.topic = &topic;
        // Not ready is somebody of a connection.
        remark.load = alone || remark.kind == Standout::not_ready ? &load : nullptr;
        remark.end = &load.client;
        const Incident incident = incident_of(remark, {&load});
        INFO(stats::standout_names[kind] << (callback ? ", callback" : "") << (alone ? ", alone" : ""));
        const std::optional<Where> named = where_by_name(incident.kind);
        if (named) {
          CHECK(incident.where == named);
          const std::string heading = report::heading(incident, report::TextStyle());
          CHECK(heading.find("slow " + std::string(report::name(*named))) == 0);
          CHECK(heading.find("look at the " + std::string(report::name(*named))) != std::string::npos);
        }
        if (named == Where::client || named == Where::server) {
          const bool answers = remark.kind == Standout::server || remark.kind == Standout::offset;
          CHECK(*named == (callback == answers ? Where::client : Where::server));
          CHECK((incident.by == (*named == Where::client ? client : server) ||
                 incident.by.kind == base::Address::Kind::none));
        }
      }
    }
  }
}

struct Lossy {
  stats::Topic topic;
  stats::Load load;
  stats::Remark remark;

  Lossy() {
    load.number = 1;
    load.last.time_ns = 9000 * kSecond;
    load.client.retransmitted = 2;
    load.client.first_again.time_ns = 40 * kSecond;
    load.client.last_again.time_ns = 45 * kSecond;
    remark.kind = Standout::loss;
    remark.topic = &topic;
    remark.load = &load;
    remark.rpcs = 2;
    remark.evidence = {15 * kSecond, {.number = 7, .time_ns = 20 * kSecond}, 1, 0};
  }
  Incident incident() const { return incident_of(remark, {&load}); }
};

TEST_CASE("a loss begins where what was lost was sent first, as far as that is known") {
  Lossy lossy;
  CHECK(lossy.incident().begin_ns == 40 * kSecond);
  lossy.remark.when.note(20 * kSecond, 46 * kSecond);
  CHECK(lossy.incident().begin_ns == 25 * kSecond);
  CHECK(lossy.incident().end_ns == 45 * kSecond);
  lossy.remark.evidence.weight = 30 * kSecond;
  CHECK(lossy.incident().begin_ns == 20 * kSecond);
}

TEST_CASE("of several losses, times are of the one that is named, also where they are put together") {
  Lossy lossy;
  lossy.remark.when.note(20 * kSecond, 35 * kSecond);
  lossy.remark.when.note(4000 * kSecond, 4001 * kSecond);
  Incident one = lossy.incident();
  CHECK(one.begin_ns == 20 * kSecond);
  CHECK(one.end_ns == 35 * kSecond);
  std::vector<Incident> found = {one};
  Lossy outage;
  outage.remark.kind = Standout::outage;
  outage.remark.topic = nullptr;
  outage.remark.evidence = {0, {.number = 9, .time_ns = 3999 * kSecond}, 1, 0};
  outage.remark.time_ns = 3 * kSecond;
  join(found, outage.incident());
  REQUIRE(found.size() == 1);
  CHECK(found[0].begin_ns == 3999 * kSecond);
  CHECK(found[0].end_ns == 4002 * kSecond);
  CHECK(std::get<stats::Remark>(found[0].what).when.count() == 2);
}

TEST_CASE("what is sent again while a link is paused is told with the pause, and no other loss is") {
  for (const int64_t apart_ns : {int64_t{0}, 900 * kSecond}) {
    for (const bool first : {false, true}) {
      Lossy loss, pause;
      loss.remark.when.note(20 * kSecond, 46 * kSecond);
      pause.load.pauses = 100;
      pause.load.held_longest = {30 * kSecond, {.number = 7, .time_ns = 20 * kSecond}, 1, 0};
      pause.remark.kind = Standout::congestion;
      pause.remark.topic = nullptr;
      pause.remark.when.note(20 * kSecond + apart_ns, 50 * kSecond + apart_ns);
      std::vector<Incident> found;
      join(found, (first ? loss : pause).incident());
      join(found, (first ? pause : loss).incident());
      CHECK(found.size() == (apart_ns == 0 ? 1 : 2));
      CHECK((found.size() > 1 || found[0].kind == Kind::congestion));
    }
  }
}

TEST_CASE("a wait for credits is told with the stall that it lies in, and no other is") {
  for (const int64_t apart_ns : {int64_t{0}, 900 * kSecond}) {
    for (const bool first : {false, true}) {
      Lossy credits, slow;
      credits.remark.kind = Standout::credits;
      credits.remark.when.note(25 * kSecond, 45 * kSecond);
      credits.remark.evidence.weight = 20 * kSecond;
      credits.remark.time_ns = static_cast<uint64_t>(20 * kSecond);
      slow.remark.kind = Standout::server;
      slow.remark.when.note(20 * kSecond + apart_ns, 46 * kSecond + apart_ns);
      slow.remark.evidence.at.time_ns += apart_ns;
      std::vector<Incident> found;
      join(found, (first ? credits : slow).incident());
      join(found, (first ? slow : credits).incident());
      CHECK(found.size() == (apart_ns == 0 ? 1 : 2));
      CHECK((found.size() > 1 || found[0].kind == Kind::slow_server));
    }
  }
}

}  // namespace
}  // namespace steertag::incident
