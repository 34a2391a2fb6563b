// The parts of a connection's history, one by one: grants, answers, versions, refusals.
#include <catch2/catch.hpp>

#include "history/characteristics.h"
#include "history/completions.h"
#include "history/grants.h"
#include "history/refusals.h"
#include "history/versions.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::history;

namespace {

Stamp at_ns(int64_t time_ns) {
  return Stamp{.number = static_cast<uint64_t>(time_ns), .time_ns = time_ns};
}

Completions::Answered answered(uint32_t xid, int64_t reply_ns, uint32_t owed) {
  Completions::Answered made;
  made.xid = xid;
  made.completion.reply = at_ns(reply_ns);
  made.owed = owed;
  return made;
}

uint32_t most(Grants& grants, int64_t now_ns) {
  const auto found = grants.most(now_ns, 100);
  return found ? found->value : 0;
}

}  // namespace

TEST_CASE("a reduction of credits counts only once it must have arrived") {
  Grants grants;
  grants.note(32, at_ns(1000));
  grants.note(8, at_ns(2000));
  CHECK(most(grants, 2050) == 32);
  CHECK(most(grants, 2101) == 8);
  grants.note(16, at_ns(3000));
  CHECK(most(grants, 3000) == 16);
  grants.note(0, at_ns(3500));  // is none
  CHECK(most(grants, 9000) == 16);
}

TEST_CASE("a grant counts as reduced until one raises it, or a missing one may have") {
  Grants grants;
  grants.note(32, at_ns(1000));
  grants.note(32, at_ns(1500));
  CHECK(!grants.trend().reduced());
  grants.note(8, at_ns(2000));
  grants.note(4, at_ns(3000));
  grants.note(4, at_ns(4000));
  REQUIRE(grants.trend().reduced());
  CHECK(grants.trend().reduced()->at == at_ns(3000));
  CHECK(grants.trend().reduced()->before == 32);
  CHECK(grants.trend().reduced()->now == 4);
  CHECK(grants.trend().reduced()->confirmed == 1);
  grants.note(0, at_ns(4500));  // is none
  CHECK(grants.trend().reduced()->now == 4);
  grants.note(5, at_ns(5000));
  CHECK(!grants.trend().reduced());
  grants.note(4, at_ns(6000));
  REQUIRE(grants.trend().reduced());
  CHECK(grants.trend().reduced()->before == 5);
  grants.note_gap();
  CHECK(!grants.trend().reduced());
  CHECK(grants.trend().largest() == 32);
}

TEST_CASE("of more reductions than are kept the largest grant stays in force") {
  Grants grants;
  for (uint32_t i = 0; i < Grants::kMaxKept + 8; ++i) {
    grants.note(500 - i, at_ns(1000 + i));
  }
  CHECK(most(grants, 1000 + Grants::kMaxKept + 8) == 500);
}

TEST_CASE("grants take memory of the heap once there are more than two of them") {
  Grants grants;
  grants.note(500, at_ns(1000));
  grants.note(400, at_ns(2000));
  CHECK(grants.bytes() == 0);
  grants.note(300, at_ns(3000));
  CHECK(grants.bytes() > 0);
}

TEST_CASE("behind a gap nothing is known of the grants until one is seen, and it has arrived") {
  Grants grants;
  grants.note(32, at_ns(1000));
  grants.note_gap();
  CHECK(most(grants, 1001) == 0);
  grants.note(8, at_ns(2000));
  CHECK(most(grants, 2050) == 0);
  CHECK(most(grants, 2101) == 8);
}

TEST_CASE("what may be a grant only ever allows more") {
  Grants grants;
  grants.note_raise(50, at_ns(500));
  CHECK(most(grants, 500) == 0);
  grants.note(32, at_ns(1000));
  grants.note_raise(16, at_ns(1500));
  CHECK(most(grants, 5000) == 32);
  grants.note_raise(40, at_ns(6000));
  CHECK(most(grants, 6000) == 40);
  grants.note(1, at_ns(7000));
  grants.note_raise(18,
                    at_ns(7050));  // the newest one is exceeded, though an older one may still be in force
  CHECK(most(grants, 7050) == 40);
  CHECK(most(grants, 8000) == 18);
  CHECK(!grants.trend().reduced());
  CHECK(grants.trend().largest() == 40);
}

TEST_CASE("the newest answer to an XID is remembered, the oldest gives way") {
  Completions completions;
  for (uint32_t xid = 1; xid <= Completions::kMaxKept + 1; ++xid) {
    completions.note(answered(xid, xid, 1));
  }
  CHECK(completions.find(1) == nullptr);
  REQUIRE(completions.find(2) != nullptr);
  completions.note(answered(2, 9000, 1));
  CHECK(completions.find(2)->completion.reply.time_ns == 9000);
  completions.note_further(2);
  completions.note_further(2);
  CHECK(completions.find(2)->owed == 0);
}

TEST_CASE("an RDMA_DONE pays for one Reply with a Read list, or is stray") {
  Completions completions;
  completions.note(answered(1, 1, 0));
  completions.note_reads(1, at_ns(1));
  completions.note_reads(2, at_ns(2));
  completions.note_done(1, at_ns(3));
  completions.note_done(2, at_ns(4));  // its Call was not seen
  completions.note_done(3, at_ns(5));
  CHECK(completions.find(1)->completion.done->time_ns == 3);
  CHECK(completions.owed_dones().empty());
  REQUIRE(completions.stray_dones().size() == 1);
  CHECK(completions.stray_dones()[0].xid == 3);
}

TEST_CASE("who has acknowledged an agreement, or a refusal, knows of it") {
  Versions versions;
  rpcrdma::TransportHeader header;
  header.version = 2;
  Message reply;
  reply.header = &header;
  reply.from = Side::b;
  reply.at = at_ns(10);
  versions.note_agreement(reply);
  versions.note_refusal(Side::a, {1, 1}, at_ns(10));
  const std::vector<Stamp> early = {at_ns(11)}, late = {at_ns(30)};
  Message call;
  call.from = Side::a;
  call.frames = early;
  CHECK_FALSE(versions.agreed_known(call));
  versions.note_acknowledged(Side::a, at_ns(20));
  CHECK_FALSE(versions.agreed_known(call));
  call.frames = late;
  CHECK(versions.agreed_known(call));
  CHECK(versions.refused_known(call, Side::a));
  CHECK_FALSE(versions.refused_known(call, Side::b));
  CHECK(versions.agreed()->value == 2);
}

TEST_CASE("no version is agreed upon until one is") {
  Versions versions;
  CHECK(versions.agreed_version() == 0);
}

TEST_CASE("of what both ends have sent, the newest that was answered is found, whoever sent it") {
  Characteristics none, one, other, both;
  CHECK_FALSE(newest_heard(none));
  one.note_heard(Side::a, at_ns(5));
  CHECK(newest_heard(one)->time_ns == 5);
  other.note_heard(Side::b, at_ns(7));
  CHECK(newest_heard(other)->time_ns == 7);
  for (const auto& [a, b] : {std::pair(5, 7), std::pair(7, 5)}) {
    both = {};
    both.note_heard(Side::a, at_ns(a));
    both.note_heard(Side::b, at_ns(b));
    CHECK(newest_heard(both)->time_ns == 7);
  }
}

TEST_CASE("the same room in more segments is another offer") {
  rpcrdma::TransportHeader whole, divided;
  whole.chunks.writes.add().target.push_back({1, 4096, 0, {}});
  rpcrdma::WriteChunk& chunk = divided.chunks.writes.add();
  chunk.target.push_back({1, 1024, 0, {}});
  chunk.target.push_back({2, 3072, 0, {}});
  for (rpcrdma::TransportHeader* header : {&whole, &divided}) {
    header->chunks.reply.add().target.push_back({3, 512, 0, {}});
  }
  const Resources one = resources_of(whole, {}), two = resources_of(divided, {});
  CHECK(one.segments == 2);
  CHECK(two.segments == 3);
  CHECK(one.written == two.written);
  CHECK_FALSE(one == two);
}
