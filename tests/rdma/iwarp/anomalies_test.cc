// What an iWARP connection reports besides operations, FPDU by FPDU: where it must
// speak, and where it cannot know. tests/track has one of each kind.
#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::iwarp;
using namespace steertag::rdma::iwarp::test;
using Kind = Anomaly::Kind;

namespace {

struct Fixture : Link {
  Anomaly only() {
    REQUIRE(out.anomalies.size() == 1);
    return out.anomalies[0];
  }
  void exchange() {  // a Send each way
    a.send(pattern(40, 1));
    flush(Side::a);
    b.send(pattern(40, 2));
    flush(Side::b);
  }
  ReadRequestHeader request(uint32_t sink, uint32_t size) {
    return {.sink_stag = sink, .sink_offset = 0, .size = size, .source_stag = 9, .source_offset = 0x1000};
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "iwarp anomalies: a sequence is known from the setup, and again behind a gap") {
  open();
  exchange();
  a.send_msn += 1;  // one is skipped
  a.send(pattern(40, 3));
  SECTION("nothing is missing") {
    flush(Side::a);
    CHECK(only().kind == Kind::message_number);
    CHECK(only().expected == 2);
    CHECK(only().found == 3);
    CHECK(only().position == 20 + 64);
    a.send(pattern(40, 4));
    flush(Side::a);
    CHECK(out.anomalies.size() == 1);
  }
  SECTION("what came between may be missing") {
    lose(Side::a, a.take().size());
    ack(Side::b);
    a.send_msn += 3;
    a.send(pattern(40, 4));
    flush(Side::a);
    a.send(pattern(40, 5));
    flush(Side::a);
    finish();
    CHECK(only().kind == Kind::missing);
    CHECK(only().expected == 20 + 64);
    CHECK(only().count == 64);
    CHECK(only().related);
  }
}

TEST_CASE_METHOD(
    Fixture,
    "iwarp anomalies: what the two bytes of DDP and RDMAP control say is wrong, where they are captured") {
  open();
  exchange();
  Buffer ulpdu(40);
  ulpdu[0] = 0x43;  // last, version 3
  a.fpdu(ulpdu);
  const Buffer bytes = a.take();
  SECTION("both, and nothing else") {
    segment(Side::a, bytes, bytes.size() - 4);
    CHECK(only().kind == Kind::ddp_version);
    CHECK(only().found == 3);
  }
  SECTION("one of them") {
    segment(Side::a, bytes, bytes.size() - 3);
    CHECK(out.anomalies.empty());
  }
}

TEST_CASE_METHOD(Fixture, "iwarp: behind a gap, only what is contiguous goes on with a Write") {
  open();
  exchange();
  Buffer ulpdu;
  wire::write(ulpdu, TaggedHeader{Control::make(Opcode::write, false), 7, 0x1000});
  ulpdu.resize(ulpdu.size() + 100);
  a.fpdu(ulpdu);
  flush(Side::a);
  a.send(pattern(40, 3));
  lose(Side::a, a.take().size());
  ack(Side::b);
  const auto first = [&](uint32_t stag, uint64_t offset) {
    a.tagged(Opcode::write, stag, offset, pattern(40, 4));
    a.send(pattern(40, 5));
    flush(Side::a);
    finish();
    REQUIRE(out.count(OpKind::write) == 2);
    return out.ops[out.ops.size() - 2].first;
  };
  SECTION("the same segment, further on") {
    CHECK_FALSE(first(7, 0x2000));
  }
  SECTION("another segment") {
    CHECK(first(8, 0x2000));
  }
  SECTION("the same segment, from before") {
    CHECK(first(7, 0x800));
  }
}

TEST_CASE_METHOD(Fixture, "iwarp anomalies: a Write goes on where it was, until its last segment") {
  open();
  exchange();
  a.tagged(Opcode::write, 7, 0x1000, pattern(3000, 1), 1000);
  a.tagged(Opcode::write, 8, 0, pattern(3000, 1), 1000);
  a.send(pattern(40, 2));
  flush(Side::a);
  CHECK(out.anomalies.empty());
  Buffer ulpdu;
  wire::write(ulpdu, TaggedHeader{Control::make(Opcode::write, false), 7, 0x1000});
  ulpdu.resize(ulpdu.size() + 100);
  a.fpdu(ulpdu);
  SECTION("another STag") {
    a.tagged(Opcode::write, 9, 0x1064, pattern(10, 1));
    flush(Side::a);
    CHECK(only().kind == Kind::stag_change);
  }
  SECTION("another offset") {
    a.tagged(Opcode::write, 7, 0x1068, pattern(10, 1));
    flush(Side::a);
    CHECK(only().kind == Kind::tagged_offset);
    CHECK(only().expected == 0x1064);
  }
  SECTION("a Send instead") {
    a.send(pattern(40, 3));
    a.tagged(Opcode::write, 9, 0, pattern(10, 1));
    flush(Side::a);
    CHECK(only().kind == Kind::cut_off);
    CHECK(only().operation == OpKind::write);
    CHECK(only().found == 100);
  }
  SECTION("a Read Request instead") {
    a.read_request(request(5, 100));
    flush(Side::a);
    CHECK(only().kind == Kind::cut_off);
    CHECK(only().found == 100);
  }
}

TEST_CASE_METHOD(Fixture, "iwarp anomalies: Read Responses answer Requests in their order") {
  open();
  exchange();
  a.read_request(request(5, 100));
  a.read_request(request(6, 200));
  flush(Side::a);
  SECTION("as they are asked for") {
    b.tagged(Opcode::read_response, 5, 0, pattern(100, 1), 60);
    b.tagged(Opcode::read_response, 6, 0, pattern(200, 1), 60);
    flush(Side::b);
    CHECK(only().kind == Kind::reads_outstanding);
    CHECK(only().found == 2);
  }
  SECTION("the wrong one first, reported once") {
    b.tagged(Opcode::read_response, 6, 0, pattern(200, 1), 60);
    flush(Side::b);
    CHECK(only().kind == Kind::read_sink_stag);
    CHECK(only().expected == 5);
  }
  SECTION("and one that nobody asked for") {
    b.tagged(Opcode::read_response, 5, 0, pattern(100, 1));
    b.tagged(Opcode::read_response, 6, 0, pattern(200, 1));
    b.tagged(Opcode::read_response, 6, 0, pattern(200, 1));
    flush(Side::b);
    CHECK(out.anomalies.back().kind == Kind::read_unasked);
  }
  SECTION("a Response that the capture lost excuses what follows") {
    b.tagged(Opcode::read_response, 5, 0, pattern(100, 1));
    lose(Side::b, b.take().size());
    ack(Side::a);
    b.tagged(Opcode::read_response, 6, 0, pattern(200, 1), 60);
    b.send(pattern(40, 3));
    flush(Side::b, 64);
    finish();
    CHECK(only().kind == Kind::missing);
  }
}

namespace {

// One segment was sent; `p` is it again, with `again` for its bytes.
struct SentAgain : Fixture {
  SentAgain() {
    open();
    a.send(pattern(40, 1));
    again = a.take();
    p = packet(Side::a);
    segment(Side::a, again);
    p.payload_length = static_cast<uint32_t>(again.size());
  }
  // In two segments, the first of 30 bytes.
  void push_first() {
    p.payload = Bytes(again).first(30);
    p.payload_length = 30;
    push(Side::a, p);
  }
  void push_second() {
    p.tcp.sequence += 30;
    p.payload = Bytes(again).subspan(30);
    p.payload_length = static_cast<uint32_t>(again.size() - 30);
    push(Side::a, p);
  }

  Buffer again;
  link::Packet p;
};

}  // namespace

TEST_CASE_METHOD(SentAgain, "iwarp anomalies: a TCP segment comes again as it was") {
  SECTION("the same") {
    p.payload = again;
    push(Side::a, p);
    CHECK(out.anomalies.empty());
    CHECK(out.retransmissions == 1);
  }
  SECTION("cut otherwise, or by the snaplen") {
    again[40] ^= 1;
    p.payload = Bytes(again).first(30);
    push(Side::a, p);
    p.payload = Bytes(again).first(44);
    p.payload_length = 44;
    push(Side::a, p);
    CHECK(out.anomalies.empty());
    CHECK(out.retransmissions == 2);
  }
  SECTION("changed") {
    again[40] ^= 1;
    p.payload = again;
    push(Side::a, p);
    CHECK(only().kind == Kind::changed_retransmission);
    CHECK_FALSE(only().acknowledged);
    ack(Side::b);
    push(Side::a, p);
    CHECK(out.anomalies.back().acknowledged);
  }
  SECTION("a keep-alive is no retransmission") {
    p.tcp.sequence += p.payload_length - 1;
    p.payload = Bytes(again).last(1);
    p.payload_length = 1;
    push(Side::a, p);
    CHECK(out.retransmissions == 0);
  }
}

TEST_CASE_METHOD(SentAgain, "iwarp anomalies: TCP segments come again with other boundaries") {
  SECTION("changed, and cut in two") {
    again[40] ^= 1;
    push_first();
    CHECK(out.anomalies.empty());
    push_second();
    CHECK(only().kind == Kind::changed_retransmission);
    CHECK(out.retransmissions == 2);
  }
  SECTION("the same, and cut in two") {
    push_first();
    push_second();
    CHECK(out.anomalies.empty());
  }
  SECTION("two that come again as one") {
    a.send(pattern(52, 2));
    const Buffer more = a.take();
    segment(Side::a, more);
    again.insert(again.end(), more.begin(), more.end());
    p.payload = again;
    p.payload_length = static_cast<uint32_t>(again.size());
    push(Side::a, p);
    CHECK(out.anomalies.empty());
    again[again.size() - 9] ^= 1;
    push(Side::a, p);
    CHECK(only().kind == Kind::changed_retransmission);
  }
}

TEST_CASE_METHOD(Fixture, "iwarp anomalies: CRCs count where the setup or an earlier FPDU says so") {
  options.verify_crc = true;
  const auto wrong = [&](Side from) {
    half(from).send(pattern(40, 1));
    half(from).bytes.back() ^= 1;
    flush(from);
  };
  SECTION("the setup asks for them") {
    open();
    wrong(Side::a);
    CHECK(only().kind == Kind::mpa_crc);
  }
  SECTION("the setup does without") {
    syn();
    setup_frame(Side::a, 0, 1, {});
    setup_frame(Side::b, 0, 1, {});
    exchange();
    wrong(Side::a);
    CHECK(out.anomalies.empty());
  }
  SECTION("the setup is not in the capture") {
    a.crc = false;
    for (int i = 0; i < 20; ++i) {
      exchange();
    }
    CHECK(out.anomalies.empty());
    wrong(Side::a);  // never was right
    CHECK(out.anomalies.empty());
    wrong(Side::b);
    CHECK(only().kind == Kind::mpa_crc);
    CHECK(only().from == Side::b);
  }
}

TEST_CASE_METHOD(Fixture, "iwarp anomalies: what MPA asks for is judged only from the setup on") {
  const auto padded = [&] {
    Buffer ulpdu;
    UntaggedHeader header;
    header.sequence = ++a.send_msn;
    header.control = Control::make(Opcode::send, true);
    wire::write(ulpdu, header);
    ulpdu.resize(ulpdu.size() + 2 + 20);
    a.crc = false;
    const size_t begin = a.bytes.size();
    a.fpdu(ulpdu);
    a.bytes[begin + 2 + ulpdu.size()] = 0x55;
    a.crc = true;
  };
  SECTION("with the setup") {
    open();
    exchange();
    padded();
    flush(Side::a);
    CHECK(only().kind == Kind::mpa_pad);
  }
  SECTION("without") {
    for (int i = 0; i < 20; ++i) {
      exchange();
      padded();
    }
    flush(Side::a);
    CHECK(out.anomalies.empty());
  }
}
