// Results that a Reply leaves to be read (RFC 5666 §3.5): what their Exchange holds,
// and when it is reported: no later than any other RPC's, but for the RDMA_DONE.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using flow::ChunkKind;
using scenario::Fabric;

// Exchanges as they are reported, and the time of the frame that they were reported with.
class Reported final : public Observer {
 public:
  struct One {
    uint32_t xid = 0;
    int64_t reported_ns = 0, reply_ns = 0, done_ns = 0;
    uint64_t advertised = 0, moved = 0, undelivered = 0;
    bool late = false;  // read after the RDMA_DONE
    bool complete = false;
  };
  std::vector<One> all;
  size_t placed = 0;  // bytes of results, by placements

  void on(const Event& event) override {
    if (const auto* placement = std::get_if<PlacementSeen>(&event)) {
      placed += placement->segment.kind == ChunkKind::result ? placement->length : 0;
    }
    const auto* done = std::get_if<ExchangeDone>(&event);
    if (done == nullptr) {
      return;
    }
    const flow::Exchange& x = done->exchange;
    One& one = all.emplace_back();
    one.xid = x.xid;
    one.reported_ns = now_ns_;
    one.reply_ns = x.reply ? x.reply->time_ns : 0;
    one.done_ns = x.done ? x.done->time_ns : 0;
    one.undelivered = x.undelivered;
    one.complete = x.complete;
    for (const flow::SegmentFlow& segment : x.segments) {
      if (segment.kind == ChunkKind::result) {
        one.advertised += segment.target.length;
        one.moved += segment.moved().total();
        one.late |= segment.after_reply;
      }
    }
  }

  void run(const Trace& trace) {
    Options options;
    options.for_placements = true;
    Analyzer analyzer(*this, options);
    for (const TraceFrame& frame : trace.frames) {
      now_ns_ = frame.at.time_ns;
      feed(analyzer, trace, frame);
    }
    analyzer.finish();
  }

 private:
  int64_t now_ns_ = 0;
};

Reported run(const std::string& text, Fabric fabric) {
  Reported reported;
  reported.run(compiled(text, fabric));
  return reported;
}

const std::string kPlain = "repeat 40\n  client> call nfs3 GETATTR\n  server> reply\n  wait 500ms\nend\n";

}  // namespace

TEST_CASE("a Reply's Read list is followed, and its RPC reported after the RDMA_DONE") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Reported reported =
        run("client> connect\nclient> call nfs3 READ\nserver> reply read(@got 3000 1096)\n"
            "wait 2s\nclient> read @got\nwait 2s\nclient> done\n" +
                kPlain,
            fabric);
    REQUIRE(reported.all.size() == 41);
    CHECK(reported.placed == 4096);
    size_t place = 0;
    while (reported.all[place].xid != 1) {
      ++place;
    }
    const Reported::One& one = reported.all[place];
    CHECK(one.advertised == 4096);
    CHECK(one.moved == 4096);
    CHECK(one.complete);
    CHECK_FALSE(one.late);
    CHECK(one.undelivered == 0);
    CHECK(one.done_ns > one.reply_ns + 3'000'000'000);
    CHECK(one.reported_ns > one.done_ns);
    CHECK(one.reported_ns < one.done_ns + 3'000'000'000);
  }
}

TEST_CASE("other RPCs are not reported later for it, and it is reported without its RDMA_DONE in the end") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const std::string front = "client> connect\nclient> call nfs3 READ\nserver> reply ";
    const std::string behind = kPlain + "wait 40s\n" + kPlain;
    const Reported owing = run(front + "read(@got 4096)\n" + behind, fabric);
    const Reported plain = run(front + "data=4000\n" + behind, fabric);
    REQUIRE(owing.all.size() == 81);
    REQUIRE(plain.all.size() == 81);
    int64_t reported_ns = 0;
    std::vector<int64_t> waits, plain_waits;
    for (const Reported::One& one : owing.all) {
      reported_ns = one.xid == 1 ? one.reported_ns - one.reply_ns : reported_ns;
      if (one.xid != 1) {
        waits.push_back(one.reported_ns - one.reply_ns);
      }
    }
    for (const Reported::One& one : plain.all) {
      if (one.xid != 1) {
        plain_waits.push_back(one.reported_ns - one.reply_ns);
      }
    }
    CHECK(waits == plain_waits);
    CHECK(reported_ns >= 30'000'000'000);
  }
}

TEST_CASE("what is read after the RDMA_DONE is reported") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Reported reported = run(
        "client> connect\nclient> call nfs3 READ\nserver> reply read(@got 4096)\npace 10us\nclient> done\n"
        "client> read @got\n" +
            kPlain,
        fabric);
    REQUIRE(reported.all.size() == 41);
    const Reported::One& one = reported.all[0].xid == 1 ? reported.all[0] : reported.all[1];
    CHECK(one.late);
    CHECK(one.moved == 4096);
  }
}

TEST_CASE("more Replies than are followed wait for their RDMA_DONE") {
  std::string text = "client> connect\nclient> call nfs3 NULL\nserver> reply\n";
  text += "repeat 600\n  client> call nfs3 READ data=8\n  server> reply read(8)\nend\n";
  const Reported reported = run(text, Fabric::roce2);
  CHECK(reported.all.size() == 601);
}

TEST_CASE("what a client has left to be read shows that it was the Reply to a callback") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Reported reported =
        run("client> connect\nclient> call nfs4 CREATE_SESSION\nserver> reply\nserver> call xid=0x31 cb "
            "CB_RECALL\n"
            "client> reply xid=0x31 read(@all pos=0)\nserver> read @all\n",
            fabric);
    REQUIRE(reported.all.size() == 2);
    for (const Reported::One& one : reported.all) {
      INFO("XID " << one.xid);
      CHECK(one.complete);
    }
  }
}

}  // namespace steertag::support
