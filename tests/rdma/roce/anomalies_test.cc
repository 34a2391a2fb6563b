// What the emulation of a reliable connection reports besides operations, packet
// by packet: where it must speak, and where it cannot know.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rdma/anomaly.h"
#include "rdma/roce/psn.h"
#include "rdma/roce/qp_pair.h"

using namespace steertag;
using namespace steertag::rdma;
using roce::Opcode;
using Kind = Anomaly::Kind;

namespace {

struct Ear final : Listener {
  std::vector<Anomaly> anomalies, sizes;  // sizes: inner_size, which is no mistake
  std::vector<RdmaOp> ops;
  uint32_t retransmissions = 0, faults = 0, strays = 0;

  void on_setup(Side, const SetupHalf&, const Stamp&) override {}
  void on_op(const RdmaOp& op) override { ops.push_back(op); }
  void on_fault(const Fault&) override { ++faults; }
  void on_stray_acknowledgment(Side, const Stamp&) override { ++strays; }
  void on_gap(Side, const Stamp&) override {}
  void on_end(EndReason, const Stamp&) override {}
  void on_retransmission(Side, const Stamp&) override { ++retransmissions; }
  void on_anomaly(const Anomaly& anomaly) override {
    (anomaly.kind == Anomaly::Kind::inner_size ? sizes : anomalies).push_back(anomaly);
  }
};

struct Watched {
  Ear ear;
  roce::QpPair pair{ear};
  uint64_t frame = 0;
  std::vector<uint8_t> bytes = std::vector<uint8_t>(8192, 7);

  static roce::Packet packet(Opcode opcode, uint32_t psn, uint32_t length = 0) {
    roce::Packet p;
    p.opcode = opcode;
    p.psn = psn & roce::kPsnMask;
    p.payload_length = length;
    return p;
  }
  void feed(Side from, roce::Packet p, size_t cut = 0) {
    p.payload = Bytes(bytes).first(p.payload_length - std::min<size_t>(cut, p.payload_length));
    pair.on_packet(from, p, Stamp{++frame, 0, 0});
  }
  void send(uint32_t psn, Opcode opcode = Opcode::send_only, uint32_t length = 4) {
    feed(Side::a, packet(opcode, psn, length));
  }
  void write(uint32_t psn, uint32_t announced, Opcode opcode, uint32_t length) {
    roce::Packet p = packet(opcode, psn, length);
    p.reth = roce::Reth{0x1000, 7, announced};
    feed(Side::a, p);
  }
  void read(uint32_t psn, uint32_t length, uint64_t va = 0) {
    roce::Packet p = packet(Opcode::read_request, psn);
    p.reth = roce::Reth{va, 7, length};
    feed(Side::a, p);
  }
  void response(Opcode opcode, uint32_t psn, uint32_t length) { feed(Side::b, packet(opcode, psn, length)); }
  void nak(uint32_t psn, roce::NakCode code) {
    roce::Packet p = packet(Opcode::acknowledge, psn);
    p.aeth = roce::Aeth{static_cast<uint8_t>(0x60 | static_cast<uint8_t>(code)), 0};
    feed(Side::b, p);
  }
  void ack(uint32_t psn) {
    roce::Packet p = packet(Opcode::acknowledge, psn);
    p.aeth = roce::Aeth{0x1F, 0};
    feed(Side::b, p);
  }
  Anomaly only() {
    REQUIRE(ear.anomalies.size() == 1);
    return ear.anomalies[0];
  }
};

}  // namespace

TEST_CASE_METHOD(Watched, "a Middle without First is reported where the packet before it is known") {
  SECTION("after a whole message") {
    send(10);
    send(11, Opcode::send_middle, 256);
    send(12, Opcode::send_last);
    CHECK(only().kind == Kind::orphan);
    CHECK(only().position == 11);
    CHECK(only().at.number == 2);
  }
  SECTION("after the setup") {
    pair.expect(Side::a, 10);
    send(10, Opcode::send_last);
    CHECK(only().kind == Kind::orphan);
  }
  SECTION("not where the capture begins, nor behind a gap") {
    send(10, Opcode::send_middle, 256);
    send(11, Opcode::send_last);
    send(12);
    send(14, Opcode::send_middle, 256);
    ack(14);
    send(15, Opcode::send_last);
    for (const Anomaly& anomaly : ear.anomalies) {
      CHECK(anomaly.kind == Kind::missing);
    }
  }
  SECTION("not where a retransmission starts in the middle") {
    send(10, Opcode::send_first, 256);
    send(11, Opcode::send_middle, 256);
    send(11, Opcode::send_middle, 256);
    send(12, Opcode::send_last);
    CHECK(ear.anomalies.empty());
    CHECK(ear.retransmissions == 1);
  }
}

TEST_CASE_METHOD(Watched, "an operation that another one cuts off is reported once") {
  write(10, 768, Opcode::write_first, 256);
  SECTION("by a Send") {
    send(11);
    write(12, 0, Opcode::write_last, 256);
  }
  SECTION("by a Read") {
    read(11, 100);
  }
  SECTION("by another Write") {
    write(11, 256, Opcode::write_only, 256);
  }
  CHECK(only().kind == Kind::cut_off);
  CHECK(only().operation == OpKind::write);
  CHECK(only().id == 1);
  CHECK(only().expected == 768);
  CHECK(only().found == 256);
  CHECK(only().related->number == 1);
}

// As it comes from an earlier connection of these QPs.
TEST_CASE_METHOD(Watched, "an acknowledgment of what was never sent changes nothing") {
  constexpr uint32_t kElsewhere = 0x500000;
  pair.expect(Side::a, 10);
  ack(kElsewhere);
  send(10, Opcode::send_only, 5);
  ack(10);
  send(11, Opcode::send_only, 5);
  for (const uint32_t psn : {kElsewhere, 0xA00000u}) {  // ahead, and behind
    nak(psn, roce::NakCode::remote_access_error);
  }
  ack(11);
  CHECK(ear.ops.size() == 2);
  CHECK(ear.anomalies.empty());
  CHECK(ear.retransmissions == 0);
  CHECK(ear.faults == 0);
  CHECK(ear.strays == 3);
  // Where packets show that the capture lost that many, it is one.
  send(kElsewhere, Opcode::send_only, 5);
  ack(kElsewhere);
  CHECK(ear.ops.size() == 3);
  CHECK(ear.strays == 3);
}

TEST_CASE_METHOD(Watched, "inner packets are as long as the first of them") {
  pair.set_path_mtu(1024);  // a proposal only
  send(10, Opcode::send_first, 512);
  send(11, Opcode::send_middle, 512);
  CHECK(ear.anomalies.empty());
  REQUIRE(ear.sizes.size() == 1);  // which is told once
  CHECK(ear.sizes[0].found == 512);
  CHECK(ear.sizes[0].position == 10);
  send(12, Opcode::send_middle, 256);
  send(13, Opcode::send_last, 5);
  CHECK(only().kind == Kind::packet_size);
  CHECK(only().expected == 512);
  CHECK(only().found == 256);
}

TEST_CASE_METHOD(Watched, "a Write is as long as its RETH says") {
  write(10, 300, Opcode::write_first, 256);
  write(11, 0, Opcode::write_last, 44);
  write(12, 0, Opcode::write_only, 0);
  CHECK(ear.anomalies.empty());
  write(13, 8, Opcode::write_only, 12);
  CHECK(only().kind == Kind::write_length);
  CHECK(only().expected == 8);
  CHECK(only().found == 12);
}

TEST_CASE_METHOD(Watched, "Read Responses that do not fit the Request are reported, restarted ones not") {
  pair.set_path_mtu(256);
  read(10, 600);
  response(Opcode::read_response_first, 10, 256);
  SECTION("too short") {
    response(Opcode::read_response_last, 11, 100);
    CHECK(only().kind == Kind::read_short);
    CHECK(only().found == 356);
    CHECK(only().related->number == 1);
  }
  SECTION("too long") {
    response(Opcode::read_response_middle, 11, 256);
    response(Opcode::read_response_last, 12, 89);
    CHECK(only().kind == Kind::read_long);
    CHECK(only().found == 601);
  }
  SECTION("longer by packets") {
    response(Opcode::read_response_middle, 11, 256);
    response(Opcode::read_response_middle, 12, 256);
    response(Opcode::read_response_last, 13, 256);
    send(13);
    CHECK(only().kind == Kind::read_long);
  }
  SECTION("restarted from the middle") {
    read(11, 344, 256);
    response(Opcode::read_response_first, 11, 256);
    response(Opcode::read_response_last, 12, 88);
    CHECK(ear.anomalies.empty());
    CHECK(ear.retransmissions == 1);
  }
}

TEST_CASE_METHOD(Watched, "Reads outstanding are those whose last Response comes later") {
  pair.set_path_mtu(256);
  read(10, 256);
  read(11, 256);
  response(Opcode::read_response_only, 10, 256);
  read(12, 256);
  SECTION("all Responses are seen") {
    response(Opcode::read_response_only, 11, 256);
    response(Opcode::read_response_only, 12, 256);
    CHECK(only().kind == Kind::reads_outstanding);  // two, and two again
    CHECK(only().found == 2);
    CHECK(only().at.number == 2);
    CHECK(only().related->number == 3);
  }
  SECTION("a Response that was not seen counts for nothing") {
    response(Opcode::read_response_only, 12, 256);
    CHECK(ear.anomalies.empty());
  }
}

TEST_CASE_METHOD(Watched, "a packet is repeated as it was, but for what may change") {
  send(10);
  roce::Packet again = packet(Opcode::send_only, 10, 4);
  SECTION("bits of the BTH") {
    again.ack_request = again.solicited = again.fecn = again.becn = true;
    feed(Side::a, again);
    CHECK(ear.anomalies.empty());
  }
  SECTION("cut by the snaplen") {
    feed(Side::a, again, 2);
    CHECK(ear.anomalies.empty());
  }
  SECTION("another payload") {
    bytes[2] ^= 1;
    feed(Side::a, again);
    CHECK(only().kind == Kind::changed_retransmission);
    CHECK(only().related->number == 1);
    CHECK_FALSE(only().acknowledged);
  }
  SECTION("another length, after an acknowledgment") {
    ack(10);
    again.payload_length = 5;
    feed(Side::a, again);
    CHECK(only().kind == Kind::changed_retransmission);
    CHECK(only().acknowledged);
  }
  SECTION("behind a hole") {
    send(12);
    bytes[2] ^= 1;
    send(12);
    CHECK(only().kind == Kind::changed_retransmission);
  }
}

TEST_CASE_METHOD(Watched, "what is missing is reported when its extent is known, with its proof") {
  send(10);
  send(14);
  ack(11);
  CHECK(ear.anomalies.empty());
  SECTION("it grows") {
    ack(13);
    CHECK(only().kind == Kind::missing);
    CHECK(only().expected == 11);
    CHECK(only().found == 14);
    CHECK(only().count == 3);
    CHECK(only().related->number == 4);  // what acknowledges all of it
  }
  SECTION("the capture ends before that is proven") {
    pair.finish(Stamp{9, 0, 0});
    CHECK(only().count == 3);
    CHECK_FALSE(only().related);
  }
}

TEST_CASE_METHOD(Watched, "a wrong ICRC among right ones is a packet that the receiver drops") {
  const auto checked = [&](uint32_t psn, uint32_t carried) {
    roce::Packet p = packet(Opcode::send_only, psn, 4);
    p.icrc = roce::IcrcCheck{psn, carried};
    feed(Side::a, p);
  };
  SECTION("its good copy counts") {
    checked(10, 10);
    checked(11, 5);
    checked(11, 11);
    CHECK(only().kind == Kind::icrc);
    CHECK(only().found == 5);
    CHECK(ear.ops.size() == 2);
    CHECK(ear.retransmissions == 0);
  }
  SECTION("it was acknowledged all the same: not missing, but unknown") {
    checked(10, 10);
    checked(11, 5);
    ack(11);
    checked(12, 12);
    pair.finish(Stamp{9, 0, 0});
    CHECK(only().kind == Kind::icrc);
    CHECK_FALSE(pair.whole(Side::a));
  }
  SECTION("none is right: reported at the end") {
    checked(10, 0);
    checked(11, 0);
    CHECK(ear.anomalies.empty());
    CHECK(ear.ops.size() == 2);
    pair.finish(Stamp{9, 0, 0});
    CHECK(only().kind == Kind::icrc_never);
    CHECK(only().count == 2);
    CHECK(only().alike == 2);
  }
}
