// Incidents, of connections, RPCs and findings made by hand: what belongs together is one, with who is to
// blame, what it cost and how it ended; what was well is none.
#include "incident/incidents.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "incident/notes.h"
#include "rules/catalog.h"
#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::kMs;
using stats::kSecond;

struct Capture {
  Fates fates;
  Repeated repeated;
  Recalls recalls;
  Violations violations;
  stats::Topics topics;
  stats::Loads loads;
  stats::Totals all;
  std::vector<attempt::Attempt> attempts;

  // From one time to another, ended by one side, or up.
  void connection(uint32_t number, int64_t from_ns, int64_t to_ns, std::optional<rdma::Side> ended_by = {},
                  uint8_t client = 2, uint8_t server = 1) {
    track::Connection c = stats::made_connection(number, client, server);
    c.first_frame = {.number = number * 100, .time_ns = from_ns};
    c.last_frame = {.number = number * 100 + 99, .time_ns = to_ns};
    if (ended_by) {
      c.ended = rdma::EndReason::disconnect;
      c.ended_by = ended_by;
    }
    fates.close(c);
  }
  stats::Rpc call(uint32_t number, int64_t at_ns, const std::string& op = "READ",
                  uint32_t version = 3) const {
    stats::Rpc rpc;
    rpc.operation = {.program = 100003, .version = version, .op = op};
    rpc.connection = number;
    rpc.called = true;
    rpc.began = {.number = number * 100 + 10, .time_ns = at_ns};
    rpc.first_ns = at_ns;
    return rpc;
  }
  void unanswered(uint32_t number, int64_t at_ns, int64_t waited_ns, bool callback = false) {
    stats::Rpc rpc = call(number, at_ns);
    rpc.unanswered = rpc.accepted = true;
    rpc.callback = callback;
    rpc.timing.unanswered_ns = waited_ns;
    fates.note(rpc);
  }
  void find(const rules::Rule& rule, uint32_t number, uint64_t frame, rules::Severity severity,
            rules::Certainty certainty = rules::Certainty::definite) {
    const track::Connection c = stats::made_connection(number);
    rules::Finding finding;
    finding.certainty = certainty;
    finding.rule = &rule;
    finding.connection = &c;
    finding.severity = severity;
    finding.at = {.number = frame, .time_ns = static_cast<int64_t>(frame) * kMs};
    finding.by = rdma::Side::b;
    finding.text = "in frame " + std::to_string(frame);
    violations.note(finding);
  }
  std::vector<Incident> told() const {
    const stats::Counted counted{topics, loads, all};
    return put_together({counted, fates, repeated, recalls, violations, attempts, 10 * kSecond});
  }
};

const Lost& lost(const Incident& incident) {
  return std::get<Lost>(incident.what);
}

TEST_CASE("what ends in order is no incident") {
  Capture capture;
  capture.connection(1, 0, kSecond, rdma::Side::a);
  capture.connection(2, 2 * kSecond, 3 * kSecond);
  capture.unanswered(2, 3 * kSecond - kMs, kMs);  // the capture ends before its Reply
  CHECK(capture.told().empty());
}

TEST_CASE("connections that one server loses at a time are one incident") {
  Capture capture;
  capture.connection(1, 0, 10 * kSecond, rdma::Side::b, 2);
  capture.connection(2, 0, 12 * kSecond, rdma::Side::b, 3);
  capture.unanswered(1, 9 * kSecond, kSecond);
  capture.unanswered(2, 9 * kSecond, 3 * kSecond);
  capture.connection(3, 0, 60 * kSecond, rdma::Side::b, 4);
  capture.unanswered(3, 59 * kSecond, kSecond);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 2);
  CHECK(told[0].kind == Kind::connection_lost);
  CHECK(told[0].connections == std::vector<track::ConnectionNumber>{1, 2});
  CHECK(told[0].rpcs == 2);
  CHECK(told[0].cost_ns == 4 * kSecond);
  CHECK(told[0].begin_ns == 9 * kSecond);
  CHECK_FALSE(told[0].end_ns);
  CHECK(told[0].by.text() == "10.9.0.1");
  CHECK(told[0].where == Where::server);
  CHECK(told[1].connections == std::vector<track::ConnectionNumber>{3});
}

TEST_CASE("a loss of several clients is over when all are back") {
  Capture capture;
  capture.connection(1, 0, 10 * kSecond, rdma::Side::b, 2);
  capture.connection(2, 0, 11 * kSecond, rdma::Side::b, 3);
  capture.unanswered(1, 9 * kSecond, kSecond);
  capture.unanswered(2, 9 * kSecond, 2 * kSecond);
  capture.connection(3, 15 * kSecond, 60 * kSecond, {}, 2);
  std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK_FALSE(told[0].end_ns);
  CHECK(lost(told[0]).next == 3);
  CHECK(lost(told[0]).gone == 1);
  capture.connection(4, 20 * kSecond, 60 * kSecond, {}, 3);
  told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].end_ns == 20 * kSecond);
  CHECK(lost(told[0]).next == 4);
  CHECK(lost(told[0]).gone == 0);
}

TEST_CASE("of many connections that are lost together, all are counted") {
  Capture capture;
  for (uint32_t number = 1; number <= 120; ++number) {
    capture.connection(number, 0, 10 * kSecond + number * kMs, rdma::Side::b,
                       static_cast<uint8_t>(number + 1));
    capture.unanswered(number, 9 * kSecond, kSecond + number * kMs);
  }
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(lost(told[0]).connections == 120);
  CHECK(lost(told[0]).fates.size() == Incident::kMostConnections);
  CHECK(lost(told[0]).longest.longest_ns == kSecond + 120 * kMs);
  CHECK(told[0].rpcs == 120);
  CHECK(told[0].frames.size() <= Incident::kMostFrames);
}

TEST_CASE("a client that goes on where it was had lost its connection") {
  for (const char* first : {"SEQUENCE", "READ", "EXCHANGE_ID", "SETCLIENTID"}) {
    Capture capture;
    capture.connection(1, 0, 10 * kSecond, rdma::Side::a);
    capture.fates.note(capture.call(1, 9 * kSecond, "READ", 4));
    capture.connection(2, 11 * kSecond, 20 * kSecond, rdma::Side::a);
    capture.fates.note(capture.call(2, 12 * kSecond, "NULL", 4));
    capture.fates.note(capture.call(2, 13 * kSecond, first, 4));
    const bool introduces = std::string(first) == "EXCHANGE_ID" || std::string(first) == "SETCLIENTID";
    const std::vector<Incident> told = capture.told();
    CHECK(told.size() == (introduces ? 0 : 1));
    if (!introduces && !told.empty()) {
      CHECK(lost(told[0]).next == 2);
      CHECK(told[0].where == Where::client);
      CHECK(told[0].weight == Weight::disturbed);
    }
  }
}

TEST_CASE("after a long silence a connection that ends is not missed") {
  Capture capture;
  capture.connection(1, 0, 310 * kSecond, rdma::Side::a);
  capture.fates.note(capture.call(1, 9 * kSecond, "READ", 4));
  capture.connection(2, 311 * kSecond, 320 * kSecond, rdma::Side::a);
  capture.fates.note(capture.call(2, 312 * kSecond, "READ", 4));
  CHECK(capture.told().empty());
}

TEST_CASE("a violation that a connection ends by is its cause, and is not told again") {
  Capture capture;
  const rules::Rule& rule = rules::path_mtu;
  capture.connection(1, 0, 10 * kSecond, rdma::Side::a);
  capture.find(rule, 1, 150, rules::Severity::error);
  const track::Connection c = stats::made_connection(1);
  const Stamp soon{.number = 160, .time_ns = 160 * kMs}, late{.number = 160, .time_ns = 10 * kSecond};
  capture.fates.note(stats::made_nak(c, soon));
  std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  REQUIRE(lost(told[0]).cause);
  CHECK(lost(told[0]).cause->text == "in frame 150");
  CHECK(told[0].by.text() == "10.9.0.1");
  CHECK(told[0].frames.front().number == 150);
  CHECK(told[0].rules == std::vector<std::string_view>{rule.id});
  // Not where it was long before.
  capture.fates.note(stats::made_nak(c, late));
  told = capture.told();
  REQUIRE(told.size() == 2);
  CHECK_FALSE(lost(told[0].kind == Kind::connection_lost ? told[0] : told[1]).cause);
  capture.fates.note(stats::made_nak(c, soon));
  // On another connection it is one of its own.
  capture.connection(2, 11 * kSecond, 20 * kSecond, rdma::Side::a);
  capture.find(rule, 2, 250, rules::Severity::error);
  told = capture.told();
  REQUIRE(told.size() == 2);
  CHECK(told[0].kind != told[1].kind);
}

TEST_CASE("a packet with a wrong ICRC that was never accepted is told with the connection that is lost") {
  Capture capture;
  capture.connection(1, 0, 10 * kSecond, rdma::Side::a);
  capture.unanswered(1, 9 * kSecond, kSecond);
  const track::Connection c = stats::made_connection(1);
  rdma::Anomaly anomaly;
  anomaly.kind = rdma::Anomaly::Kind::icrc;
  anomaly.at = {.number = 150};
  const auto note = [&] {
    flow::Incident made;
    made.connection = &c;
    made.what = anomaly;
    capture.fates.note(made);
  };
  note();  // one that was sent again, and accepted
  CHECK_FALSE(lost(capture.told().at(0)).fates[0].damaged);
  anomaly.awaited = true;
  note();
  capture.find(rules::wrong_icrc, 1, 150, rules::Severity::warning);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  REQUIRE(lost(told[0]).fates[0].damaged);
  CHECK(lost(told[0]).fates[0].damaged->at.number == 150);
  CHECK(told[0].frames.front().number == 150);
  CHECK(told[0].rules == std::vector<std::string_view>{"NET-08"});
}

TEST_CASE("an ICMP error is a possible cause where a connection was lost then, and no end said why") {
  Capture capture;
  track::Connection c = stats::made_connection(1);
  c.last_frame.time_ns = 10 * kSecond;
  c.ended = rdma::EndReason::reset;
  const auto at = [&](int64_t ns) {
    c.icmp = {.count = 1, .latest = {}, .at = {.number = 77, .time_ns = ns}};
    capture.fates.close(c);
    return lost(capture.told().at(0)).icmp.has_value();
  };
  capture.unanswered(1, 9 * kSecond, kSecond);
  CHECK(at(9 * kSecond));
  CHECK(capture.told()[0].frames.back().number == 77);
  CHECK(at(7 * kSecond));
  CHECK_FALSE(at(7 * kSecond - 1));
  capture.fates.note(stats::made_nak(c, {.number = 160, .time_ns = 10 * kSecond}));
  CHECK_FALSE(at(9 * kSecond));
}

TEST_CASE("Calls that wait for long hang, while their connection is up") {
  Capture capture;
  capture.connection(1, 0, 20 * kSecond);
  capture.unanswered(1, 5 * kSecond, 15 * kSecond);
  capture.unanswered(1, 19 * kSecond, kSecond);
  std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Kind::hang);
  CHECK(told[0].rpcs == 2);
  CHECK(told[0].cost_ns == 16 * kSecond);
  CHECK(told[0].begin_ns == 5 * kSecond);
  CHECK_FALSE(told[0].end_ns);
  CHECK(told[0].where == Where::server);
  capture.unanswered(1, 5 * kSecond, 15 * kSecond, true);  // and the server waits for the client
  told = capture.told();
  REQUIRE(told.size() == 2);
  CHECK(told[1].where == Where::client);
  CHECK(told[1].by.text() == "10.9.0.2");
}

TEST_CASE("a session whose server says again and again that it cannot call back is in trouble") {
  for (const uint32_t replies : {2u, 3u}) {
    for (const uint32_t flags :
         {0x401u, 0x100u}) {  // CB_PATH_DOWN and BACKCHANNEL_FAULT; RESTART_RECLAIM_NEEDED
      Capture capture;
      capture.connection(1, 0, 10 * kSecond, rdma::Side::a);
      capture.connection(2, 11 * kSecond, 60 * kSecond);
      capture.unanswered(1, 9 * kSecond, kSecond, true);
      const track::Connection c = stats::made_connection(2);
      for (uint64_t i = 0; i < replies; ++i) {
        stats::MadeRpc rpc(c, 250 + 2 * i, static_cast<int64_t>(20 + i) * kSecond, "READ", 4);
        rpc.exchange.subject.sequence_flags = flags;
        capture.fates.note(rpc.exchange);
      }
      const std::vector<Incident> told = capture.told();
      CHECK(told.size() == (replies == 3 && flags == 0x401 ? 1 : 0));
      if (!told.empty()) {
        CHECK(told[0].kind == Kind::session);
        CHECK(told[0].frames.front().number == 251);
        CHECK(std::get<Session>(told[0].what).callback.call.number == 110);
      }
      // It is over once a Reply says that all is well.
      stats::MadeRpc well(c, 290, 30 * kSecond, "READ", 4);
      capture.fates.note(well.exchange);
      CHECK(capture.told().empty());
    }
  }
}

TEST_CASE("violations are rolled up by rule and host, and what events tell is none") {
  Capture capture;
  capture.connection(1, 0, kSecond, rdma::Side::a);
  for (uint64_t frame = 40; frame != 0; --frame) {
    capture.find(rules::path_mtu, 1, frame, rules::Severity::error);
  }
  capture.find(rules::network_loss, 1, 7, rules::Severity::error);
  capture.find(rules::setup_refused, 1, 7, rules::Severity::warning);
  capture.find(rules::path_mtu, 1, 3, rules::Severity::note);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Kind::violation);
  CHECK(told[0].rpcs == 40);
  CHECK(told[0].frames.size() == Violation::kMostFrames);
  CHECK(told[0].frames.front().number == 1);
  CHECK(std::get<Violation>(told[0].what).text == "in frame 1");
  CHECK(told[0].end_ns == 40 * kMs);
}

TEST_CASE("violations are one incident, however sure each is, but for those that may be none") {
  Capture capture;
  capture.connection(1, 0, kSecond, rdma::Side::a);
  capture.find(rules::path_mtu, 1, 40, rules::Severity::error, rules::Certainty::likely);
  for (uint64_t frame = 1; frame != 40; ++frame) {
    capture.find(rules::path_mtu, 1, frame, rules::Severity::error);
  }
  capture.find(rules::path_mtu, 1, 41, rules::Severity::error, rules::Certainty::possible);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].rpcs == 40);
  CHECK(told[0].certainty == rules::Certainty::definite);
  CHECK(told[0].frames.front().number == 1);
  CHECK(told[0].end_ns == 40 * kMs);
}

TEST_CASE("the best frame to look at comes first, and is there once") {
  const Stamp early{.number = 7}, best{.number = 8};
  Incident incident;
  note_frame(incident, early);
  note_frame(incident, best);
  note_first(incident, best);
  CHECK(incident.frames == std::vector<Stamp>{best, early});
}

TEST_CASE("shares of the connections add up to the whole") {
  Capture whole, first, second;
  const auto renumber = [](track::ConnectionNumber number) { return track::ConnectionNumber(number + 10); };
  for (Capture* part : {&whole, &first}) {
    part->connection(part == &whole ? 11 : 1, 0, 10 * kSecond, rdma::Side::b);
    part->unanswered(part == &whole ? 11 : 1, 9 * kSecond, kSecond);
    part->find(rules::path_mtu, part == &whole ? 11 : 1, 5, rules::Severity::error);
  }
  for (Capture* part : {&whole, &second}) {
    part->connection(part == &whole ? 12 : 2, 0, 10 * kSecond, rdma::Side::b, 3);
    part->find(rules::path_mtu, part == &whole ? 12 : 2, 4, rules::Severity::error);
  }
  Capture sum;
  for (const Capture* part : {&second, &first}) {
    sum.fates.take_over(part->fates, renumber);
    sum.violations.take_over(part->violations, renumber, [](std::string& text) { text += "!"; });
  }
  const std::vector<Incident> one = whole.told(), other = sum.told();
  REQUIRE(one.size() == other.size());
  for (size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].kind == other[i].kind);
    CHECK(one[i].connections == other[i].connections);
    CHECK(one[i].rpcs == other[i].rpcs);
    CHECK(one[i].frames.size() == other[i].frames.size());
  }
  CHECK(sum.violations.all().at(0).text == "in frame 4!");
}

}  // namespace
}  // namespace steertag::incident
