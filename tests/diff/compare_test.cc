#include "diff/compare.h"

#include <catch2/catch.hpp>

#include "diff/made.h"

using namespace steertag;
using namespace steertag::diff;

namespace {

// So many RPCs, and a connection that is over.
MadeCapture traffic(size_t rpcs = 100) {
  MadeCapture made;
  made.add(rpcs, kMs);
  made.connection.version = 1;
  return made;
}

MadeCapture& close(MadeCapture& made) {
  made.profile.close(made.connection);
  return made;
}

void request(MadeCapture& made, rdma::Side from, uint32_t credits) {
  rpcrdma::TransportHeader header;
  header.credit = credits;
  flow::Message message;
  message.connection = &made.connection;
  message.header = &header;
  message.direction = flow::Direction::call;
  message.from = from;
  made.profile.note(message);
}

}  // namespace

TEST_CASE("compare: a capture and itself, and two that are empty, differ in nothing") {
  MadeCapture one = traffic();
  one.add(made_fault("MEM-09", 7)).tallies[0].kept = 3;
  one.add(4, made_segment(flow::ChunkKind::write, 4096), "READLINK");
  close(one);
  CHECK(compared(one, one).empty());
  CHECK(compared(MadeCapture(), MadeCapture()).empty());
}

TEST_CASE("compare: findings come, go, and change their number for as many RPCs") {
  MadeCapture before = traffic(), after = traffic();
  before.add(made_fault("MEM-09", 3, 1)).add(made_fault("CHK-02", 10, 2)).add(made_fault("CHK-12", 10, 3));
  after.add(made_fault("CHK-02", 11, 2)).add(made_fault("CHK-12", 20, 3)).add(made_fault("INV-03", 1, 4));
  CHECK(both(before, after).there ==
        "finding Reply returns N bytes: 10 of 100 -> 20 of 100!\n"  // CHK-12
        "finding Reply returns N bytes: 0 of 100 -> 1 of 100!\n"    // INV-03
        "finding Reply returns N bytes: 3 of 100 -> 0 of 100\n");   // MEM-09
  CHECK(both(before, after).back ==
        "finding Reply returns N bytes: 20 of 100 -> 10 of 100\n"
        "finding Reply returns N bytes: 1 of 100 -> 0 of 100\n"
        "finding Reply returns N bytes: 0 of 100 -> 3 of 100!\n");
  const Comparison comparison = compare(before.view(), after.view(), {});
  CHECK(comparison.differences[0].fault->rule->id == "CHK-12");
  CHECK(comparison.differences[0].seen_before->number == 30);
  CHECK(!comparison.differences[1].seen_before);
  CHECK(comparison.differences[1].seen_after->number == 40);

  MadeCapture longer = traffic(1000);
  longer.add(made_fault("MEM-09", 30, 1)).add(made_fault("CHK-02", 100, 2)).add(made_fault("CHK-12", 100, 3));
  CHECK(compared(before, longer) == "operation READ NFSv3 READ: 100 -> 1000\n");
}

TEST_CASE("compare: what is only possible, and notes, are no regressions") {
  MadeCapture before = traffic(), after = traffic();
  Fault possible = made_fault("MEM-09", 3);
  possible.certainty = rules::Certainty::possible;
  Fault note = made_fault("CRD-07", 3, 2);
  REQUIRE(note.severity == rules::Severity::note);
  after.add(possible).add(note);
  const std::string_view found =
      "finding Reply returns N bytes: 0 of 100 -> 3 of 100{}\n"
      "finding Reply returns N bytes: 0 of 100 -> 3 of 100\n";
  CHECK(compared(before, after) == fmt::format(fmt::runtime(found), ""));
  CHECK(compared(before, after, {.strict = true}) == fmt::format(fmt::runtime(found), "!"));
}

TEST_CASE("compare: notes come by chance, and differ only where they do by half and by more than ten") {
  MadeCapture before = traffic(), near = traffic(), far = traffic();
  Fault note = made_fault("CRD-07", 12);
  before.add(note);
  note.count = 23;
  far.add(note);
  note.count = 22;
  near.add(note);
  CHECK(compared(before, near).empty());
  CHECK(compared(before, far).empty());
  far.faults.begin()->second.count = 25;
  CHECK(compared(before, far) == "finding Reply returns N bytes: 12 of 100 -> 25 of 100\n");
}

TEST_CASE("compare: of several that are one, the most certain counts") {
  const MadeCapture before = traffic();
  Fault first = made_fault("INV-07", 3, 1), second = made_fault("INV-07", 3, 2);
  REQUIRE(first.rule->habit);
  first.severity = second.severity = rules::Severity::error;
  first.certainty = rules::Certainty::possible;
  for (const bool swap : {false, true}) {
    MadeCapture both = traffic();
    if (swap) {
      std::swap(first.certainty, second.certainty);
    }
    both.add(first).add(second);
    CHECK(compared(before, both) == "finding Reply returns N bytes: 0 of 100 -> 6 of 100!\n");
  }
}

TEST_CASE("compare: a habit is the same whatever operation it was first seen at") {
  MadeCapture before = traffic(), after = traffic();
  Fault habit = made_fault("INV-07", 40, 1);
  REQUIRE(habit.rule->habit);
  before.add(habit);
  habit.fingerprint = 2;
  habit.op = "WRITE";
  habit.count = 30;
  after.add(habit);
  habit.fingerprint = 3;
  habit.count = 10;
  habit.op = "OPEN";
  after.add(habit);
  CHECK(both(before, after).there.empty());
  CHECK(both(before, after).back.empty());
  Fault other = made_fault("INV-07", 40, 4);
  other.blame = rules::Blame::requester;
  after.add(other);
  CHECK(compared(before, after) == "finding Reply returns N bytes: 0 of 100 -> 40 of 100!\n");
}

TEST_CASE("compare: rules that only one side puts to the test") {
  MadeCapture before = traffic(), after = traffic();
  before.tallies[rule_number("INV-03")] = {.kept = 4};
  before.tallies[rule_number("MEM-09")] = {.broken = 2};
  before.tallies[rule_number("CHK-02")] = {.kept = 9};
  after.tallies[rule_number("CHK-02")] = {.kept = 1};
  after.tallies[rule_number("INV-03")] = {.undecided = 7};
  after.tallies[rule_number("CRD-03")] = {.kept = 5};
  CHECK(both(before, after).there == "rule MEM-09: 2 -> 0\nrule INV-03: 4 -> 0\nrule CRD-03: 0 -> 5\n");
  CHECK(both(before, after).back == "rule MEM-09: 0 -> 2\nrule INV-03: 0 -> 4\nrule CRD-03: 5 -> 0\n");
  const auto required = [](const rules::Rule& rule) { return rule.id.starts_with("INV"); };
  CHECK(compared(before, after, {.required = required}) ==
        "rule MEM-09: 2 -> 0\nrule INV-03: 4 -> 0!\nrule CRD-03: 0 -> 5\n");
  CHECK(compare(before.view(), after.view(), {}).differences[1].undecided_after == 7);
}

TEST_CASE("compare: remote invalidation that is used no more, of Replies that could have done it") {
  const auto invalidating = [](int yes, int no) {
    MadeCapture made;
    for (int i = 0; i < yes + no; ++i) {
      MadeRpc rpc = made.next();
      rpc.exchange.segments.push_back(made_segment(flow::ChunkKind::write, 4096));
      if (i < yes) {
        rpc.exchange.invalidated = 7;
      }
      made.add(rpc);
    }
    return made;
  };
  CHECK(compared(invalidating(10, 0), invalidating(0, 10)) ==
        "invalidation remote invalidation: 10 of 10 -> 0 of 10\n");
  CHECK(compared(invalidating(0, 2), invalidating(1, 1)) ==
        "invalidation remote invalidation: 0 of 2 -> 1 of 2\n");
  CHECK(compared(invalidating(100, 10), invalidating(97, 13)).empty());
  CHECK(compared(invalidating(100, 10), invalidating(50, 60)) ==
        "invalidation remote invalidation: 100 of 110 -> 50 of 110\n");
}

TEST_CASE("compare: credits, of the client's Calls") {
  MadeCapture before = traffic(), after = traffic();
  request(before, rdma::Side::a, 128);
  request(before, rdma::Side::b, 1000);  // a callback
  before.connection.ends[0].credits.granted_max = 64;
  request(after, rdma::Side::a, 32);
  request(after, rdma::Side::a, 16);
  after.connection.ends[0].credits.granted_max = 4;
  close(before);
  close(after);
  CHECK(both(before, after).there == "credits granted: 64 -> 4\ncredits requested: 128 -> 32\n");
  CHECK(both(before, after).back == "credits granted: 4 -> 64\ncredits requested: 32 -> 128\n");
}

TEST_CASE("compare: what was sent again differs by half and by more than ten, and more is a regression") {
  const auto lossy = [](uint64_t again, uint64_t naks) {
    MadeCapture made = traffic();
    made.connection.ends[0].retransmissions = again / 2;
    made.connection.ends[1].retransmissions = again - again / 2;
    made.connection.ends[1].naks = naks;
    made.connection.ends[0].rnr_naks = naks;
    return close(made);
  };
  CHECK(compared(lossy(0, 0), lossy(10, 10)).empty());
  CHECK(compared(lossy(100, 0), lossy(190, 0)).empty());
  CHECK(compared(lossy(0, 0), lossy(11, 0)) == "network retransmissions: 0 of 100 -> 11 of 100!\n");
  CHECK(compared(lossy(210, 30), lossy(100, 3)) ==
        "network retransmissions: 210 of 100 -> 100 of 100\n"
        "network NAKs: 30 of 100 -> 3 of 100\n"
        "network RNR NAKs: 30 of 100 -> 3 of 100\n");
  CHECK(compared(lossy(210, 3), lossy(2100, 30)) ==
        "network retransmissions: 210 of 100 -> 2100 of 100!\n"
        "network NAKs: 3 of 100 -> 30 of 100!\n"
        "network RNR NAKs: 3 of 100 -> 30 of 100!\n");
}

TEST_CASE("compare: what the network did comes before what it explains") {
  MadeCapture before = traffic(), after;
  close(before);
  MadeRpc failed = after.next();
  after.add(failed.failed("NFS3ERR_IO"));
  after.connection.ends[0].retransmissions = 1000;
  close(after);
  CHECK(compared(before, after).starts_with("network retransmissions: 0 of 100 -> 1000 of 1!\n"));
}

TEST_CASE("compare: connections, their transport and version, and none at all is a regression") {
  MadeCapture before = traffic(), after = traffic(), none;
  close(before);
  after.connection.transport = rdma::Transport::iwarp;
  close(after);
  after.connection.version = 2;
  close(after);
  CHECK(compared(before, after) ==
        "connections connections: 1 -> 2\n"
        "connections roce2: 1 -> 0\n"
        "connections iwarp: 0 -> 2\n"
        "connections version 2: 0 -> 1\n");
  CHECK(compared(before, none) == "operation READ NFSv3 READ: 100 -> 0\nconnections connections: 1 -> 0!\n");
  CHECK(compared(none, before) == "operation READ NFSv3 READ: 0 -> 100\nconnections connections: 0 -> 1\n");
}
