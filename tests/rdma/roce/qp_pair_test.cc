// The receiver emulation: what is delivered, in which order, exactly once.
#include "rdma/roce/qp_pair.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rdma/roce/psn.h"

using namespace steertag;
using namespace steertag::rdma;
using roce::Opcode;

namespace {

// Writes what it hears as short words: "S12" a Send piece of 12 bytes (with ^ its
// first, $ its last), "W8+4" a Write piece to offset 8 of 4 bytes, "R8+4" a Read
// Request, "D8+4" data of a Read, "gapA", "nak", "rnr".
class Script final : public Listener {
 public:
  std::string said;
  Fault fault;  // the latest

  void on_setup(Side, const SetupHalf&, const Stamp&) override {}
  void on_op(const RdmaOp& op) override {
    const std::string range = std::to_string(op.memory.offset) + "+" + std::to_string(op.memory.length);
    switch (op.kind) {
      case OpKind::send:
        say(std::string(op.unreceived ? "never " : "") + "S" + std::string(op.first ? "^" : "") +
            std::to_string(op.payload_length) + (op.last ? "$" : ""));
        break;
      case OpKind::write:
        say("W" + range);
        break;
      case OpKind::read_request:
        say("R" + range);
        break;
      case OpKind::read_response:
        say("D" + range);
        break;
      case OpKind::other:
        say("other");
        break;
    }
  }
  void on_fault(const Fault& heard) override {
    fault = heard, say(heard.kind == Fault::Kind::rnr ? "rnr" : "nak");
  }
  void on_gap(Side from, const Stamp&) override { say(from == Side::a ? "gapA" : "gapB"); }
  void on_end(EndReason, const Stamp&) override {}

  std::string take() { return std::exchange(said, ""); }

 private:
  void say(const std::string& word) { said += (said.empty() ? "" : " ") + word; }
};

struct Fixture {
  Script script;
  roce::QpPair pair{script};
  uint64_t frame = 0;
  std::vector<uint8_t> bytes = std::vector<uint8_t>(8192);

  void feed(Side from, roce::Packet packet) {
    packet.payload = Bytes(bytes).first(packet.payload_length);
    pair.on_packet(from, packet, Stamp{++frame, 0, 0});
  }
  static roce::Packet packet(Opcode opcode, uint32_t psn, uint32_t length = 0) {
    roce::Packet p;
    p.opcode = opcode;
    p.psn = psn & roce::kPsnMask;
    p.payload_length = length;
    return p;
  }
  void send(uint32_t psn, uint32_t length = 4, Opcode opcode = Opcode::send_only) {
    feed(Side::a, packet(opcode, psn, length));
  }
  void write(uint32_t psn, uint64_t va, uint32_t total, uint32_t length, Opcode opcode = Opcode::write_only) {
    roce::Packet p = packet(opcode, psn, length);
    p.reth = roce::Reth{va, 7, total};
    feed(Side::a, p);
  }
  void read(uint32_t psn, uint64_t va, uint32_t length) {
    roce::Packet p = packet(Opcode::read_request, psn);
    p.reth = roce::Reth{va, 7, length};
    feed(Side::a, p);
  }
  void response(Opcode opcode, uint32_t psn, uint32_t length) { feed(Side::b, packet(opcode, psn, length)); }
  void ack(uint32_t psn, uint8_t syndrome = 0x1F) {
    roce::Packet p = packet(Opcode::acknowledge, psn);
    p.aeth = roce::Aeth{syndrome, 0};
    feed(Side::b, p);
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "packets in order are delivered at once, across the wrap of the PSN") {
  send(0xFFFFFE);
  send(0xFFFFFF, 256, Opcode::send_first);
  send(0, 256, Opcode::send_middle);
  send(1, 5, Opcode::send_last);
  CHECK(script.take() == "S^4$ S^256 S256 S5$");
  CHECK(pair.whole(Side::a));
}

TEST_CASE_METHOD(Fixture, "a repeated packet is delivered once") {
  send(10);
  send(10);
  send(11);
  send(10);
  CHECK(script.take() == "S^4$ S^4$");
}

TEST_CASE_METHOD(Fixture, "packets behind a hole wait until it is filled") {
  send(10, 1);
  send(12, 3);
  send(13, 4);
  CHECK(script.take() == "S^1$");
  CHECK_FALSE(pair.whole(Side::a));
  ack(11, 0x60);  // NAK: 11 is expected
  CHECK(script.take() == "nak");
  send(11, 2);
  CHECK(script.take() == "S^2$ S^3$ S^4$");
  send(12, 3);  // go-back-N repeats them
  send(13, 4);
  CHECK(script.take().empty());
  CHECK(pair.whole(Side::a));
  CHECK(pair.lost() == 0);
}

TEST_CASE_METHOD(Fixture, "a hole that the peer acknowledged past is capture loss") {
  send(10, 1);
  send(13, 4);
  ack(12);
  CHECK(script.take() == "S^1$ gapA S^4$");
  CHECK(pair.lost() == 2);
  CHECK_FALSE(pair.whole(Side::a));
}

TEST_CASE_METHOD(Fixture, "an ACK that the tap shows before its packet is no loss") {
  send(10, 1);
  ack(11);
  send(11, 2);
  send(12, 3);
  CHECK(script.take() == "S^1$ S^2$ S^3$");
  CHECK(pair.whole(Side::a));
}

TEST_CASE_METHOD(Fixture, "what follows an acknowledgment waits with it for the request") {
  pair.expect(Side::a, 10);
  pair.expect(Side::b, 500);
  ack(10);
  feed(Side::b, packet(Opcode::send_only, 500, 9));
  CHECK(script.take().empty());
  CHECK_FALSE(pair.whole(Side::a));
  SECTION("until it is seen") {
    send(10, 1);
    CHECK(script.take() == "S^1$ S^9$");
    CHECK(pair.whole(Side::a));
  }
  SECTION("until patience is at an end") {
    roce::Packet next = packet(Opcode::send_only, 501, 8);
    next.payload = Bytes(bytes).first(8);
    pair.on_packet(Side::b, next, Stamp{.number = ++frame, .time_ns = roce::QpPair::kPatienceNs + 1});
    CHECK(script.take() == "gapA S^9$ S^8$");
    CHECK_FALSE(pair.whole(Side::a));
  }
  SECTION("until the capture ends") {
    pair.finish(Stamp{.number = 99});
    CHECK(script.take() == "gapA S^9$");
  }
}

TEST_CASE_METHOD(Fixture, "a packet that the tap shows after its hole was given up still counts") {
  send(10, 1);
  send(12, 3);
  ack(12);
  send(11, 2);
  send(11, 2);
  send(13, 4);
  CHECK(script.take() == "S^1$ gapA S^3$ S^2$ S^4$");
}

TEST_CASE_METHOD(Fixture, "an acknowledgment into a hole gives up just that part") {
  send(10, 1);
  send(14, 5);
  ack(11);
  CHECK(script.take() == "S^1$ gapA");
  send(12, 3);
  send(13, 4);
  CHECK(script.take() == "S^3$ S^4$ S^5$");
}

TEST_CASE_METHOD(Fixture, "the rest of a Send whose middle the capture lost is not reported") {
  pair.set_path_mtu(256);
  send(10, 256, Opcode::send_first);
  send(12, 9, Opcode::send_last);
  ack(12);
  send(13, 4);
  CHECK(script.take() == "S^256 gapA S^4$");
}

TEST_CASE_METHOD(Fixture, "the rest of a Write goes where its PSN says") {
  pair.set_path_mtu(256);
  write(10, 0x1000, 700, 256, Opcode::write_first);
  SECTION("behind a hole in it") {
    send(12, 188, Opcode::write_last);
    ack(12);
    send(13, 4);
    CHECK(script.take() == "W4096+256 gapA W4608+188 S^4$");
  }
  SECTION("unless it is not as long as it ought to be there") {
    send(12, 180, Opcode::write_last);
    ack(12);
    CHECK(script.take() == "W4096+256 gapA");
  }
  SECTION("and what is behind its end belongs to another one") {
    send(13, 256, Opcode::write_middle);
    ack(13);
    CHECK(script.take() == "W4096+256 gapA");
  }
}

TEST_CASE_METHOD(Fixture, "Read Responses are tied to the memory they come from") {
  pair.set_path_mtu(1024);
  read(10, 0, 2500);
  response(Opcode::read_response_first, 10, 1024);
  response(Opcode::read_response_middle, 11, 1024);
  response(Opcode::read_response_middle, 11, 1024);
  response(Opcode::read_response_last, 12, 452);
  send(13);
  CHECK(script.take() == "R0+2500 D0+1024 D1024+1024 D2048+452 S^4$");
}

TEST_CASE_METHOD(Fixture, "a Read restarted from the middle is the same Read") {
  pair.set_path_mtu(1024);
  read(10, 0, 3072);
  response(Opcode::read_response_first, 10, 1024);
  response(Opcode::read_response_last, 12, 1024);  // 11 was lost
  read(11, 1024, 2048);
  response(Opcode::read_response_first, 11, 1024);
  response(Opcode::read_response_last, 12, 1024);
  send(13);
  CHECK(script.take() == "R0+3072 D0+1024 D2048+1024 D1024+1024 S^4$");
}

TEST_CASE_METHOD(Fixture,
                 "without a setup the path MTU is learned, from a Response or from the next request") {
  SECTION("Response") {
    read(10, 0, 2048);
    response(Opcode::read_response_first, 10, 512);
    send(14);
    CHECK(script.take() == "R0+2048 D0+512 S^4$");
  }
  SECTION("next request") {
    read(10, 0, 2048);
    send(12);
    CHECK(script.take() == "R0+2048 S^4$");
    response(Opcode::read_response_last, 11, 1024);
    CHECK(script.take() == "D1024+1024");
  }
  CHECK(pair.whole(Side::a));
}

TEST_CASE_METHOD(Fixture, "a Read Request that the capture lost shows as a gap") {
  pair.set_path_mtu(1024);
  send(9);
  response(Opcode::read_response_first, 10, 1024);
  response(Opcode::read_response_last, 11, 1024);
  send(12);
  CHECK(script.take() == "S^4$ gapA S^4$");
}

TEST_CASE_METHOD(Fixture, "RNR NAKs and NAKs are reported, and acknowledge what came before") {
  send(10, 1);
  send(12, 3);
  ack(12, 0x20);
  CHECK(script.take() == "S^1$ gapA S^3$ rnr");
}

TEST_CASE_METHOD(Fixture, "the setup says the first PSN, so that a lost first packet is missed") {
  pair.expect(Side::a, 10);
  send(11, 2);
  ack(11);
  CHECK(script.take() == "gapA S^2$");
}

TEST_CASE_METHOD(Fixture, "what waits at the end of the capture is reported") {
  send(10, 1);
  send(12, 3);
  pair.finish(Stamp{.number = 99});
  CHECK(script.take() == "S^1$ gapA S^3$");
}

TEST_CASE_METHOD(Fixture, "what waits is bounded") {
  send(10, 1);
  for (uint32_t i = 0; i < 2000; ++i) {
    send(12 + i, 4096);
  }
  CHECK(script.said.find("gapA") != std::string::npos);
  CHECK(pair.lost() == 1);
}

TEST_CASE_METHOD(Fixture, "QPs that were set up again outside of the capture are picked up") {
  send(0x700000, 1);
  for (uint32_t i = 0; i < 40; ++i) {
    send(0x100000 + i, 2);
  }
  CHECK(script.said.find("gapA S^2$") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "QPs that were set up again far ahead lack no packets") {
  send(0x100, 1);
  ack(0x100);
  script.take();
  for (uint32_t i = 0; i < 4; ++i) {
    send(0x700000 + i, 2);
  }
  ack(0x700003);
  CHECK(script.take() == "gapA S^2$ S^2$ S^2$ S^2$");
  CHECK(pair.lost() == 0);
}

TEST_CASE_METHOD(Fixture,
                 "what was outstanding and what was sent before a QP was set up again is forgotten") {
  read(0x700000, 0x1000, 100);
  script.take();
  for (uint32_t i = 0; i < 40; ++i) {
    send(0x100000 + i, 2);
  }
  script.take();
  response(Opcode::read_response_only, 0x700000, 100);
  CHECK(script.take().find("D") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "what waits behind holes counts only while it waits") {
  uint32_t psn = 10;
  send(psn++, 4);
  for (int i = 0; i < 400; ++i) {  // 8 times what may wait at once
    send(psn + 1, 4096);
    send(psn + 2, 4096);
    send(psn, 4096);
    psn += 3;
  }
  CHECK(script.take().find("gap") == std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a NAK names the frames of the operation that is refused") {
  send(10, 4);
  write(11, 0x1000, 2100, 1024, Opcode::write_first);  // frame 2
  feed(Side::a, packet(Opcode::write_middle, 12, 1024));
  feed(Side::a, packet(Opcode::write_last, 13, 52));  // frame 4
  send(14, 4);
  for (uint32_t psn = 11; psn <= 13; ++psn) {
    ack(psn, 0x62);
    REQUIRE(script.fault.refused);
    CHECK(script.fault.refused->first.number == 2);
    CHECK(script.fault.refused->last.number == 4);
  }
  ack(14, 0x61);
  CHECK(script.fault.refused->first.number == 5);
}

TEST_CASE_METHOD(Fixture, "after the DREQ only what is acknowledged is received") {
  send(10, 1);
  ack(10);
  script.take();
  pair.close(Stamp{.number = frame});
  send(11, 2);
  send(12, 3);
  CHECK(script.take().empty());
  ack(11);
  CHECK(script.take() == "S^2$");
  send(12, 3);
  CHECK(script.take().empty());
  pair.finish(Stamp{.number = 99});
  CHECK(script.take() == "never S^3$");
}

TEST_CASE_METHOD(Fixture, "what waited behind a hole before the DREQ is reported as ever") {
  send(10, 1);
  send(12, 3);
  pair.close(Stamp{.number = frame});
  send(13, 4);
  pair.finish(Stamp{.number = 99});
  CHECK(script.take() == "S^1$ gapA S^3$ never S^4$");
}

TEST_CASE_METHOD(Fixture, "what comes after the DREQ is bounded") {
  send(10, 1);
  pair.close(Stamp{.number = frame});
  for (uint32_t i = 0; i < 2000; ++i) {
    send(11 + i, 4096);
  }
  pair.finish(Stamp{.number = 9999});
  CHECK(script.take().find("gap") == std::string::npos);
}
