#include "rdma/iwarp/opening.h"

#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::iwarp;
using test::Buffer;
using test::Link;
using test::pattern;
using test::Recorder;

TEST_CASE("enhanced setup and its ready-to-receive messages") {
  Link link;
  link.syn();
  const Buffer blob{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3};
  Buffer request{0x80, 0x80, 0xC0, 0x00};
  Buffer reply{0xBF, 0xFF, 0x80, 0x80};
  request.insert(request.end(), blob.begin(), blob.end());
  reply.insert(reply.end(), blob.begin(), blob.end());
  link.setup_frame(Side::a, SetupFrame::kEnhanced, 2, request);
  link.setup_frame(Side::b, SetupFrame::kEnhanced, 2, reply);
  REQUIRE(link.out.setups.size() == 2);
  CHECK(link.out.setups[0].first == Side::a);
  CHECK(link.out.setups[0].second.private_data_whole);
  CHECK(link.out.setups[0].second.responder_resources == 128u);
  CHECK(link.out.setups[0].second.initiator_depth == 0u);
  CHECK_FALSE(link.out.setups[1].second.responder_resources);
  CHECK(link.out.setups[1].second.initiator_depth == 128u);
  CHECK(link.out.private_data[0] == blob);
  CHECK(link.out.private_data[1] == blob);
  CHECK(link.tcp().mpa().request_revision == 2);
  CHECK(link.tcp().mpa().crc == false);
  CHECK(link.tcp().mpa().ird[0] == 128);

  link.a.tagged(Opcode::write, 1, 0, {});
  link.a.send({});
  link.a.read_request({1, 0, 0, 2, 0});
  link.flush(Side::a);
  link.b.tagged(Opcode::read_response, 1, 0, {});
  link.flush(Side::b);
  REQUIRE(link.out.ops.size() == 4);
  for (const Recorder::Op& op : link.out.ops) {
    CHECK(op.payload_length == 0);
    CHECK(op.first);
    CHECK(op.last);
  }
  CHECK(link.out.ops[3].id == 3);
  CHECK(link.out.ops[3].memory.handle == 2);
}

TEST_CASE("a setup frame in several segments, or cut by the capture") {
  Link link;
  link.syn();
  Buffer frame;
  wire::write(frame, SetupFrame{kRequestKey, 0, 1, 8});
  frame.resize(28, 0x55);
  SECTION("byte by byte") {
    for (uint8_t byte : frame) {
      link.segment(Side::a, Bytes(&byte, 1));
    }
    REQUIRE(link.out.setups.size() == 1);
    CHECK(link.out.setups[0].second.private_data_whole);
    CHECK(link.out.private_data[0].size() == 8);
  }
  SECTION("cut") {
    link.segment(Side::a, frame, 5);
    REQUIRE(link.out.setups.size() == 1);
    CHECK_FALSE(link.out.setups[0].second.private_data_whole);
    CHECK(link.out.private_data[0].size() == 3);
  }
}

TEST_CASE("a CRC that either end wants is there") {
  for (const Side wanted : {Side::a, Side::b}) {
    Link link;
    link.syn();
    for (const Side from : {Side::a, Side::b}) {
      link.setup_frame(from, from == wanted ? SetupFrame::kCrc : 0, 1, {});
    }
    CHECK(link.tcp().mpa().crc == true);
  }
}

TEST_CASE("a rejected setup ends the connection") {
  Link link;
  link.syn();
  link.setup_frame(Side::a, 0, 1, {});
  link.setup_frame(Side::b, SetupFrame::kRejected, 1, {1, 2});
  CHECK(link.out.setups.size() == 2);
  CHECK(link.out.ends == std::vector{EndReason::reject});
  CHECK(link.tcp().mpa().rejected);
  link.fin(Side::a);
  link.fin(Side::b);
  CHECK(link.out.ends.size() == 1);
}

TEST_CASE("another connection between the same ports is noticed") {
  Link link;
  link.open();
  link::Packet syn = link.packet(Side::a);
  syn.tcp.syn = true;
  syn.tcp.sequence = link.isn[0];
  CHECK_FALSE(link.tcp().opens_new_epoch(Side::a, syn));
  syn.tcp.sequence += 12345;
  CHECK(link.tcp().opens_new_epoch(Side::a, syn));
  Buffer request;
  wire::write(request, SetupFrame{});
  link::Packet p = link.packet(Side::a);
  p.payload = request;
  p.payload_length = 20;
  CHECK_FALSE(link.tcp().opens_new_epoch(Side::a, p));
  p.tcp.sequence += 0x40000000;
  CHECK(link.tcp().opens_new_epoch(Side::a, p));
  p.tcp.sequence -= 0x80000000;  // far behind
  CHECK(link.tcp().opens_new_epoch(Side::a, p));
  p.tcp.sequence += 0x40000000;
  CHECK_FALSE(link.tcp().opens_new_epoch(Side::a, p));
  p.tcp.acknowledgment += 0x20000000;  // near by chance, but of another peer's stream
  CHECK(link.tcp().opens_new_epoch(Side::a, p));
}

TEST_CASE("an MPA Reply opens another connection, other bytes do not") {
  Link link;
  link.open();
  SetupFrame frame;
  frame.key = kReplyKey;
  Buffer reply;
  wire::write(reply, frame);
  link::Packet p = link.packet(Side::b);
  p.payload = reply;
  p.payload_length = 20;
  CHECK_FALSE(link.tcp().opens_new_epoch(Side::b, p));
  p.tcp.sequence += 0x40000000;
  CHECK(link.tcp().opens_new_epoch(Side::b, p));
  reply[15] ^= 1;
  p.payload = reply;
  CHECK_FALSE(link.tcp().opens_new_epoch(Side::b, p));
}

namespace {

// Request and Reply with these keys, then a message of each end.
void talk(Link& link, const std::array<uint8_t, 16>& request, const std::array<uint8_t, 16>& reply) {
  for (const Side from : {Side::a, Side::b}) {
    SetupFrame frame;
    frame.key = from == Side::a ? request : reply;
    frame.revision = from == Side::a ? 2 : 1;
    Buffer bytes;
    wire::write(bytes, frame);
    link.segment(from, bytes);
  }
  link.a.crc = link.b.crc = false;
  for (const Side from : {Side::a, Side::b}) {
    link.half(from).send(pattern(100, 1));
    link.flush(from);
  }
}

std::array<uint8_t, 16> broken(std::array<uint8_t, 16> key, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    key[i * 3] ^= 0x80;
  }
  return key;
}

}  // namespace

TEST_CASE("whoever speaks first is the initiator, whatever its key") {
  struct Case {
    std::array<uint8_t, 16> request, reply;
    std::vector<Side> blamed;
    bool without_syn = true;  // the same where no SYN was captured
  };
  const Case cases[] = {
      {kRequestKey, kReplyKey, {}},
      {kReplyKey, kReplyKey, {Side::a}},
      {kRequestKey, kRequestKey, {Side::b}},
      {kReplyKey, kRequestKey, {Side::a, Side::b}, false},  // nothing but the SYN tells them apart
      {broken(kRequestKey, 1), kReplyKey, {Side::a}},
      {broken(kRequestKey, 4), kReplyKey, {Side::a}},
      {kRequestKey, broken(kReplyKey, 4), {Side::b}},
  };
  for (const Case& c : cases) {
    for (const bool syn : {true, false}) {
      if (!syn && !c.without_syn) {
        continue;
      }
      INFO("case " << &c - cases << (syn ? "" : " without SYN"));
      Link link;
      if (syn) {
        link.syn();
      }
      talk(link, c.request, c.reply);
      CHECK(link.tcp().initiator() == Side::a);
      CHECK(link.tcp().mpa().request_revision == 2);
      CHECK(link.tcp().mpa().reply_revision == 1);
      CHECK(link.out.count(OpKind::send) == 2);
      std::vector<Side> blamed;
      for (const Anomaly& anomaly : link.out.anomalies) {
        CHECK(anomaly.kind == Anomaly::Kind::mpa_key);
        CHECK(anomaly.at.number == (syn ? 3u : 1u) + index(anomaly.from));
        blamed.push_back(anomaly.from);
      }
      CHECK(blamed == c.blamed);
    }
  }
}

TEST_CASE("a key with more than four wrong bytes is none") {
  Link link;
  link.syn();
  talk(link, broken(kRequestKey, 5), kReplyKey);
  CHECK(link.tcp().proof() == Proof::not_rdma);
  CHECK(link.out.setups.empty());
}

TEST_CASE("without the Request, the Reply's key shows who the initiator is") {
  for (const bool syn : {true, false}) {
    Link link;
    if (syn) {
      link.syn();
    }
    link.lose(Side::a, SetupFrame::kSize);
    link.setup_frame(Side::b, 0, 1, {});
    link.a.crc = false;
    for (int i = 0; i < 4; ++i) {
      link.a.send(pattern(100, 1));
      link.flush(Side::a);
    }
    link.finish();
    CHECK(link.tcp().initiator() == Side::a);
    for (const Anomaly& anomaly : link.out.anomalies) {
      CHECK(anomaly.kind == Anomaly::Kind::missing);
    }
  }
}
