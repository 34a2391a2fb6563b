// Requests that are refused again and again, of Exchanges made by hand: what is asked again is one row, which
// ends where it gets through, and of which only so much is kept.
#include "incident/repeated.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "incident/incidents.h"
#include "nfs/status.h"
#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::kMs;
using stats::kSecond;

constexpr uint32_t kDelay = 10008, kGrace = 10013, kBadSession = 10052;

struct Asked {
  Fates fates;
  Violations violations;
  Repeated repeated;
  Recalls recalls;
  stats::Topics topics;
  stats::Loads loads;
  stats::Totals all;
  uint64_t frame = 100;

  Asked() {
    for (const uint8_t client : {2, 3}) {
      track::Connection c = connection(client);
      c.last_frame.time_ns = 60 * kSecond;
      fates.close(c);
    }
  }
  static track::Connection connection(uint8_t client) { return stats::made_connection(client, client); }

  // An answer: 0 is OK.
  void answer(int64_t at_ns, uint32_t status, std::string_view op = "OPEN", uint8_t client = 2,
              uint32_t version = 4) {
    const track::Connection c = connection(client);
    stats::MadeRpc rpc(c, frame, at_ns, op, version);
    frame += 2;
    if (status != 0) {
      rpc.failed(nfs::status_name(100003, version, status));
    }
    rpc.exchange.subject.nfs_status = status;
    repeated.note(rpc.exchange);
    const stats::Rpc counted = rpc;
    topics.add(counted);
  }
  std::vector<Incident> told() const {
    return put_together({{topics, loads, all}, fates, repeated, recalls, violations, attempts, 10 * kSecond});
  }
  const std::vector<attempt::Attempt> attempts;
};

const Refused& refused(const Incident& incident) {
  return std::get<Refused>(incident.what);
}

TEST_CASE("what a status refuses depends on the program") {
  CHECK(refusal_of(100003, 4, kDelay) == Refusal::later);
  CHECK(refusal_of(100003, 3, kDelay) == Refusal::later);
  CHECK(refusal_of(100227, 3, kDelay) == Refusal::later);
  CHECK(refusal_of(100003, 4, kGrace) == Refusal::grace);
  CHECK(refusal_of(100021, 4, 4) == Refusal::grace);
  for (const uint32_t status : {10011u, 10022u, 10023u, kBadSession, 10078u}) {
    CHECK(refusal_of(100003, 4, status) == Refusal::session);
    CHECK_FALSE(refusal_of(100003, 3, status));
  }
  for (const uint32_t status : {0u, 2u, 4u, 5u, 10007u, 10012u, 10014u}) {
    CHECK_FALSE(refusal_of(100003, 4, status));
  }
  CHECK_FALSE(refusal_of(100021, 4, 2));
  CHECK_FALSE(refusal_of(100005, 3, kDelay));
}

TEST_CASE("a request that is put off again and again is told once, with when it got through") {
  Asked capture;
  for (int64_t i = 0; i < 14; ++i) {
    capture.answer(i * kSecond, kDelay);
  }
  capture.answer(14 * kSecond, 0);
  std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Kind::nfs_error);
  CHECK(told[0].weight == Weight::disturbed);
  CHECK(told[0].rpcs == 14);
  CHECK(told[0].begin_ns == 0);
  CHECK(told[0].end_ns == 14 * kSecond);
  CHECK(told[0].cost_ns == 14 * kSecond);
  CHECK(told[0].by.text() == "10.9.0.1");
  CHECK(told[0].where == Where::server);
  CHECK(told[0].frames.size() == 3);
  CHECK(told[0].frames[0].number == 101);
  CHECK(told[0].frames[2].number == 129);
  REQUIRE(refused(told[0]).longest.then);
  CHECK(refused(told[0]).longest.then->failure.empty());
  CHECK(refused(told[0]).longest.operation.op == "OPEN");
  // And again, at another time.
  for (int64_t i = 0; i < 4; ++i) {
    capture.answer((55 + i) * kSecond, kDelay);
  }
  told = capture.told();
  REQUIRE(told.size() == 2);
  CHECK(told[0].weight == Weight::broken);
  CHECK_FALSE(told[0].end_ns);  // nothing shows its end
  CHECK(told[0].cost_ns == 5 * kSecond);
}

TEST_CASE("a few answers, or a short time, are how delegations are recalled") {
  for (const bool few : {true, false}) {
    Asked capture;
    for (int64_t i = 0; i < (few ? 2 : 5); ++i) {
      capture.answer(i * (few ? 5 * kSecond : 200 * kMs), kDelay);
    }
    capture.answer(20 * kSecond, 0);
    CHECK(capture.repeated.all().empty());
  }
  Asked capture;  // each gets through when it is asked again
  for (int64_t i = 0; i < 20; ++i) {
    capture.answer(i * kSecond, kDelay);
    capture.answer(i * kSecond + 100 * kMs, 0);
  }
  CHECK(capture.repeated.all().empty());
}

TEST_CASE("what is not asked again, or fails at last, is over") {
  Asked capture;
  for (int64_t i = 0; i < 5; ++i) {
    capture.answer(i * kSecond, kDelay, "OPEN");
    capture.answer(i * kSecond, kDelay, "REMOVE", 3);
  }
  capture.answer(6 * kSecond, 2, "REMOVE", 3);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 2);  // of two clients
  for (const Incident& incident : told) {
    CHECK(incident.weight == Weight::disturbed);
    const bool removes = refused(incident).longest.operation.op == "REMOVE";
    CHECK(incident.end_ns == (removes ? 6 : 4) * kSecond);
    CHECK(refused(incident).longest.then.has_value() == removes);
  }
}

TEST_CASE("several requests of one client that are put off at a time are one incident") {
  Asked capture;
  for (int64_t i = 0; i < 5; ++i) {
    capture.answer(i * kSecond, kDelay, "OPEN");
    capture.answer(i * kSecond + kMs, kDelay, "RENAME");
    capture.answer(i * kSecond + 2 * kMs, 0, "READ");
  }
  capture.answer(5 * kSecond, 0, "OPEN");
  capture.answer(9 * kSecond, 0, "RENAME");
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(refused(told[0]).requests == 2);
  CHECK(refused(told[0]).longest.operation.op == "RENAME");
  CHECK(told[0].rpcs == 10);
  CHECK(told[0].end_ns == 9 * kSecond);
}

TEST_CASE("the grace period of a server is one incident, whatever its clients ask for") {
  for (const bool over : {true, false}) {
    Asked capture;
    for (int64_t i = 0; i < 4; ++i) {
      capture.answer((40 + i) * kSecond, kGrace, "OPEN", 2);
      capture.answer((41 + i) * kSecond, kGrace, "LOCK", 3);
      capture.answer((41 + i) * kSecond, 0, "READ", 3);
    }
    if (over) {
      capture.answer(50 * kSecond, 0, "OPEN", 2);
      capture.answer(52 * kSecond, 0, "LOCK", 3);
    }
    const std::vector<Incident> told = capture.told();
    REQUIRE(told.size() == 1);
    CHECK(told[0].kind == Kind::nfs_error);
    CHECK(told[0].rpcs == 8);
    CHECK(refused(told[0]).clients == 2);
    CHECK(told[0].begin_ns == 40 * kSecond);
    CHECK(told[0].end_ns == (over ? std::optional<int64_t>(52 * kSecond) : std::nullopt));
  }
}

TEST_CASE(
    "sessions that a server does not know are one incident, until a request that needs one gets through") {
  for (const bool well : {false, true}) {
    Asked capture;
    for (int64_t i = 0; i < 4; ++i) {
      for (const uint8_t client : {2, 3}) {
        capture.answer(50 * kSecond + 400 * i * kMs, kBadSession, "READ", client);
        capture.answer(50 * kSecond + 400 * i * kMs, 0, "EXCHANGE_ID", client);
        capture.answer(50 * kSecond + 400 * i * kMs, 10022, "CREATE_SESSION", client);
      }
    }
    for (const uint8_t client : {2, 3}) {
      capture.answer(52 * kSecond, 0, well ? "GETATTR" : "EXCHANGE_ID", client);
    }
    const std::vector<Incident> told = capture.told();
    REQUIRE(told.size() == 1);
    CHECK(told[0].kind == Kind::session);
    CHECK(told[0].rpcs == 16);
    CHECK(told[0].weight == (well ? Weight::disturbed : Weight::broken));
    CHECK(told[0].end_ns == (well ? std::optional<int64_t>(52 * kSecond) : std::nullopt));
    CHECK(refused(told[0]).statuses ==
          std::vector<std::string>{"NFS4ERR_BADSESSION", "NFS4ERR_STALE_CLIENTID"});
  }
  for (const bool unknown : {false, true}) {
    Asked capture;
    for (int64_t i = 0; i < 4; ++i) {
      capture.answer(50 * kSecond + 400 * i * kMs, unknown ? 10022 : kBadSession, "READ");
    }
    capture.answer(52 * kSecond, 0, "EXCHANGE_ID");
    capture.answer(53 * kSecond, 0, "CREATE_SESSION");
    capture.answer(99 * kSecond, 0, "READ");
    const std::vector<Incident> told = capture.told();
    REQUIRE(told.size() == 1);
    CHECK(told[0].end_ns == 53 * kSecond);
  }
  for (const bool anew : {false, true}) {  // a server that is in its grace period knows the session
    Asked capture;
    for (int64_t i = 0; i < 4; ++i) {
      capture.answer(50 * kSecond + 400 * i * kMs, kBadSession, "READ");
    }
    capture.answer(55 * kSecond, kGrace, anew ? "CREATE_SESSION" : "OPEN");
    capture.answer(60 * kSecond, 0, "READ");
    REQUIRE(capture.repeated.all().front().then);
    CHECK(capture.repeated.all().front().then->at.time_ns == (anew ? 60 : 55) * kSecond);
  }
  Asked capture;  // as where a server restarts
  for (int64_t i = 0; i < 60; ++i) {
    capture.answer(i * kMs, kBadSession, "READ");
  }
  capture.answer(61 * kMs, 0, "READ");
  CHECK(capture.repeated.all().size() == 1);
  CHECK(capture.told().size() == 1);  // that many of them failed
  CHECK(std::holds_alternative<stats::Remark>(capture.told()[0].what));
}

TEST_CASE("other failures of the operation are still told") {
  Asked capture;
  for (int64_t i = 0; i < 10; ++i) {
    capture.answer(i * kSecond, kDelay);
  }
  capture.answer(10 * kSecond, 13);
  capture.answer(10 * kSecond, 13);
  CHECK(capture.told().size() == 1);
  capture.answer(10 * kSecond, 13);
  CHECK(capture.told().size() == 2);
}

TEST_CASE("refusals long apart are not in a row") {
  Asked capture;
  for (int64_t i = 0; i < 3; ++i) {
    capture.answer(i * (Repeated::kApartNs + 1), kDelay);
  }
  CHECK(capture.repeated.all().empty());
}

TEST_CASE("so many requests are followed at a time, and those that are forgotten give way") {
  Asked capture;
  for (size_t i = 0; i < Repeated::kMostOpen + 10; ++i) {
    capture.answer(0, kDelay, "OP" + std::to_string(i));
  }
  const auto ask = [&](int64_t from_ns, const std::string& op) {
    for (int64_t i = 0; i < 3; ++i) {
      capture.answer(from_ns + i * kSecond, kDelay, op);
    }
    return capture.repeated.all().size();
  };
  CHECK(ask(kSecond, "OP5") == 1);
  CHECK(ask(kSecond, "LATE") == 1);  // there is no room for it ...
  CHECK(ask(70 * kSecond, "LATE") == 2);
}

TEST_CASE("of rows that are over so many are kept") {
  Asked capture;
  for (size_t i = 0; i < Repeated::kMost + 5; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      capture.answer(j * kSecond, kDelay);
    }
    capture.answer(3 * kSecond, 0);
  }
  CHECK(capture.repeated.all().size() == Repeated::kMost);
}

TEST_CASE("shares have the rows of their hosts, and add up to the whole") {
  Asked whole, first, second;
  for (int64_t i = 0; i < 4; ++i) {
    for (Asked* part : {&whole, &first}) {
      part->answer(i * kSecond, kGrace, "OPEN", 2);
    }
    for (Asked* part : {&whole, &second}) {
      part->answer(i * kSecond + kMs, kGrace, "OPEN", 3);
    }
  }
  Asked sum;
  for (const Asked* part : {&second, &first}) {
    sum.repeated.take_over(
        part->repeated, [](track::ConnectionNumber number) { return track::ConnectionNumber(number + 10); });
  }
  const std::vector<Repetition> rows = sum.repeated.all(), due = whole.repeated.all();
  REQUIRE(rows.size() == due.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].client == due[i].client);
    CHECK(rows[i].answers == due[i].answers);
    CHECK(rows[i].connection == due[i].connection + 10);
  }
}

}  // namespace
}  // namespace steertag::incident
