// What a correct sender does: the watch by itself, and PathMtu, which it measures by.
#include "rdma/roce/order_watch.h"

#include <catch2/catch.hpp>

#include "rdma/roce/icrc_watch.h"
#include "rdma/roce/parts.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::roce::test;
using roce::Opcode;
using Reported = Anomaly::Kind;

namespace {

struct Watching {
  Heard heard;
  roce::OrderWatch watch{heard, Side::b};
  roce::Running running;
  roce::PathMtu mtu;

  void run(OpKind kind) { running.kind = kind, running.active = true, running.id = 3; }
};

}  // namespace

TEST_CASE_METHOD(Watching, "order is judged where it is known what may come") {
  const roce::Packet middle = packet_of(Opcode::send_middle, 11, 256);
  SECTION("not before") {
    watch.order(running, middle, {});
    CHECK(heard.anomalies.empty());
    CHECK_FALSE(watch.aware());
  }
  SECTION("an orphan") {
    watch.set_aware(true);
    watch.order(running, middle, {});
    CHECK(heard.only(Reported::orphan));
    CHECK(heard.anomalies[0].from == Side::b);
  }
  SECTION("what goes on") {
    run(OpKind::send);
    watch.set_aware(true);
    watch.order(running, middle, {});
    CHECK(heard.anomalies.empty());
    CHECK(watch.aware());
  }
  SECTION("what is cut off, and its rest, once") {
    run(OpKind::write);
    watch.set_aware(true);
    watch.order(running, packet_of(Opcode::send_only, 11), {});
    running = {};
    watch.order(running, packet_of(Opcode::write_last, 12), {});
    CHECK(heard.only(Reported::cut_off));
    CHECK(heard.anomalies[0].id == 3);
  }
}

TEST_CASE_METHOD(Watching, "the first inner packet sets the measure of the others") {
  watch.size(packet_of(Opcode::send_last, 9, 77), {});  // no inner packet
  watch.size(packet_of(Opcode::send_first, 10, 1024), {});
  watch.size(packet_of(Opcode::read_response_middle, 11, 1024), {});
  CHECK(heard.anomalies.empty());
  SECTION("another size") {
    watch.size(packet_of(Opcode::send_middle, 11, 512), {});
    CHECK(heard.only(Reported::packet_size));
  }
  SECTION("a pad") {
    roce::Packet padded = packet_of(Opcode::send_middle, 11, 1024);
    padded.pad = 2;
    watch.size(padded, {});
    CHECK(heard.only(Reported::inner_pad));
  }
  SECTION("until the QP is set up again") {
    watch.forget();
    watch.size(packet_of(Opcode::send_first, 10, 512), {});
    CHECK(heard.anomalies.empty());
  }
}

TEST_CASE_METHOD(Watching, "a Write ends where its RETH says") {
  running.memory.length = 300;
  running.done = 256;
  watch.write_end(running, packet_of(Opcode::write_last, 11, 44), {});
  CHECK(heard.anomalies.empty());
  watch.write_end(running, packet_of(Opcode::write_last, 11, 45), {});
  CHECK(heard.only(Reported::write_length));
}

TEST_CASE_METHOD(Watching, "a Response fits its Read, or that is reported once") {
  mtu.learn(packet_of(Opcode::read_response_first, 10, 256));
  roce::OutstandingRead read;
  read.memory.length = 500;
  using Fit = roce::OrderWatch::Fit;
  SECTION("it fits") {
    CHECK(watch.response(read, 1, 256, mtu, packet_of(Opcode::read_response_last, 11, 244), {}) == Fit::fits);
    CHECK(heard.anomalies.empty());
  }
  SECTION("too short") {
    CHECK(watch.response(read, 1, 256, mtu, packet_of(Opcode::read_response_last, 11, 243), {}) == Fit::fits);
    CHECK(heard.only(Reported::read_short));
  }
  SECTION("too long") {
    const roce::Packet longer = packet_of(Opcode::read_response_last, 11, 245);
    CHECK(watch.response(read, 1, 256, mtu, longer, {}) == Fit::misfit);
    CHECK(watch.response(read, 1, 256, mtu, longer, {}) == Fit::misfit);
    CHECK(heard.only(Reported::read_long));
  }
  SECTION("requested again: nobody knows") {
    read.restarted = true;
    CHECK(watch.response(read, 1, 256, mtu, packet_of(Opcode::read_response_last, 11, 9), {}) == Fit::fits);
    CHECK(heard.anomalies.empty());
  }
}

TEST_CASE("the path MTU is what packets show, not what the setup proposes") {
  roce::PathMtu mtu;
  CHECK_FALSE(mtu.known());
  CHECK(mtu.bytes_or_least() == 256);
  mtu.propose(1000);  // none
  CHECK_FALSE(mtu.known());
  mtu.propose(4096);
  mtu.learn(packet_of(Opcode::send_only, 1, 77));
  CHECK(mtu.bytes() == 4096);
  CHECK_FALSE(mtu.shown());
  mtu.learn(packet_of(Opcode::write_first, 1, 1024));
  CHECK(mtu.bytes() == 1024);
  CHECK(mtu.shown());
  for (uint32_t i = 1; i < roce::PathMtu::kPatience; ++i) {
    mtu.learn(packet_of(Opcode::write_middle, 1, 2048));
    CHECK(mtu.bytes() == 1024);
  }
  mtu.learn(packet_of(Opcode::write_middle, 1, 2048));
  CHECK(mtu.bytes() == 2048);
}

TEST_CASE("the path MTU is guessed from the PSNs of a Read") {
  roce::PathMtu mtu;
  CHECK(mtu.guess(4096, 4));
  CHECK(mtu.bytes() == 1024);
  CHECK(mtu.guessed());
  roce::PathMtu several;
  CHECK(several.guess(300, 1));  // 512 or more
  CHECK_FALSE(several.known());
  CHECK_FALSE(several.guess(4096, 5));
}

TEST_CASE("ICRCs that were dropped are remembered, where a right one was seen") {
  Heard heard;
  roce::IcrcWatch watch(heard, Side::a);
  const auto dropped = [&](uint32_t psn, uint32_t carried) {
    roce::Packet packet = packet_of(Opcode::send_only, psn);
    packet.icrc = roce::IcrcCheck{1, carried};
    return watch.drops(packet, {});
  };
  CHECK_FALSE(dropped(10, 2));  // perhaps not filled in
  CHECK(heard.anomalies.empty());
  CHECK_FALSE(dropped(11, 1));
  CHECK(heard.only(Reported::icrc));
  CHECK(dropped(12, 3));
  CHECK(watch.dropped(10, 20) == 1);
  CHECK(watch.dropped(13, 20) == 0);
}
