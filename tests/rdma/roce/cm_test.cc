#include "rdma/roce/cm.h"

#include <catch2/catch.hpp>
#include <memory>
#include <utility>

using namespace steertag;
using namespace steertag::rdma::roce;

namespace {

using Octets = std::vector<uint8_t>;

constexpr std::array<uint8_t, 4> kClient = {10, 9, 0, 1};
constexpr std::array<uint8_t, 4> kServer = {10, 9, 0, 2};
const Octets kPrivate = {0xF6, 0xAB, 0x0E, 0x18, 1, 1, 3, 3};

Octets encoded(const CmMessage& message) {
  Octets out;
  encode(message, out);
  return out;
}

CmMessage req() {
  CmMessage message;
  message.transaction_id = 0x1122334455667788;
  message.local_comm_id = 0xAABBCCDD;
  message.service_id = ip_service_id(20049);
  message.local_qpn = 0x000011;
  message.responder_resources = 128;
  message.initiator_depth = 16;
  message.starting_psn = 0xABCDEF;
  message.set_path_mtu(1024);
  message.ip.emplace();
  message.ip->source_port = 700;
  message.ip->set(base::Address::ipv4(kClient), base::Address::ipv4(kServer));
  message.private_data = kPrivate;
  return message;
}

Octets first(Bytes bytes, size_t count) {
  return Octets(bytes.begin(), bytes.begin() + static_cast<long>(count));
}

}  // namespace

TEST_CASE("the fields of a REQ stand at the offsets of IBTA vol. 1, chapter 12") {
  const Octets mad = encoded(req());
  REQUIRE(mad.size() == kMadSize);
  const auto at = [&](size_t offset, size_t count) { return first(slice(mad, offset), count); };
  CHECK(at(0, 4) == Octets{1, 7, 2, 3});
  CHECK(at(8, 8) == Octets{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88});
  CHECK(at(16, 2) == Octets{0, 0x10});
  CHECK(at(24, 4) == Octets{0xAA, 0xBB, 0xCC, 0xDD});
  CHECK(at(32, 8) == Octets{0, 0, 0, 0, 1, 6, 0x4E, 0x51});
  CHECK(at(56, 4) == Octets{0, 0, 0x11, 128});
  CHECK(mad[63] == 16);
  CHECK(at(68, 3) == Octets{0xAB, 0xCD, 0xEF});
  CHECK(mad[74] >> 4 == 3);
  CHECK(at(164, 4) == Octets{0, 0x40, 700 >> 8, 700 & 255});
  CHECK(at(180, 4) == Octets{10, 9, 0, 1});
  CHECK(at(196, 4) == Octets{10, 9, 0, 2});
  CHECK(at(200, 8) == kPrivate);
}

TEST_CASE("a REQ is read back, its IP CM header apart from the consumer's data") {
  const Octets mad = encoded(req());
  CmMessage message;
  REQUIRE(decode(mad, message));
  CHECK(message.attribute == CmAttribute::req);
  CHECK(message.transaction_id == 0x1122334455667788);
  CHECK(message.local_comm_id == 0xAABBCCDD);
  CHECK(message.is_ip_service());
  CHECK(message.ip_protocol() == 6);
  CHECK(message.port() == 20049);
  CHECK(message.local_qpn == 0x11);
  CHECK(message.responder_resources == 128);
  CHECK(message.initiator_depth == 16);
  CHECK(message.starting_psn == 0xABCDEF);
  CHECK(message.path_mtu() == 1024);
  CHECK(message.transport_type() == 0);
  REQUIRE(message.ip);
  CHECK(message.ip->source_port == 700);
  CHECK(message.ip->source().text() == "10.9.0.1");
  CHECK(message.ip->destination().text() == "10.9.0.2");
  CHECK(message.private_data.size() == 56);
  CHECK(message.private_data_whole);
  CHECK(first(message.private_data, 8) == kPrivate);
  CHECK(encoded(message) == mad);
}

TEST_CASE("IPv6 in the IP CM header") {
  CmMessage message = req();
  const std::array<uint8_t, 16> client = {0xFD, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  message.ip->set(base::Address::ipv6(client), base::Address::ipv6(client));
  const Octets mad = encoded(message);
  REQUIRE(decode(mad, message));
  REQUIRE(message.ip);
  CHECK(message.ip->source().text() == "fd09::1");
}

TEST_CASE("a REQ for another service keeps all its private data, and so does an odd IP CM header") {
  CmMessage message = req();
  SECTION("another service id") {
    message.ip.reset();
    message.service_id = 0x1000000000000001;
  }
  SECTION("no IP version that is known") {
    message.ip->ip_version = 0x50;
  }
  SECTION("another version of the header") {
    message.ip->version = 0x10;
  }
  const Octets mad = encoded(message);
  REQUIRE(decode(mad, message));
  CHECK_FALSE(message.ip);
  CHECK(message.private_data.size() == 92);
}

TEST_CASE("room for private data, message by message") {
  const std::pair<CmAttribute, size_t> rooms[] = {{CmAttribute::rep, 196},
                                                  {CmAttribute::rtu, 224},
                                                  {CmAttribute::dreq, 220},
                                                  {CmAttribute::drep, 224},
                                                  {CmAttribute::rej, 148},
                                                  {CmAttribute::mra, 222},
                                                  {CmAttribute::lap, 168},
                                                  {CmAttribute::apr, 148},
                                                  {CmAttribute::sidr_req, 216},
                                                  {CmAttribute::sidr_rep, 136},
                                                  {static_cast<CmAttribute>(0x99), 232}};
  for (const auto& [attribute, room] : rooms) {
    CmMessage message;
    message.attribute = attribute;
    message.private_data = kPrivate;
    const Octets mad = encoded(message);
    CHECK(mad.size() == kMadSize);
    REQUIRE(decode(mad, message));
    INFO("attribute " << static_cast<int>(attribute));
    CHECK(message.attribute == attribute);
    CHECK(message.private_data.size() == room);
    CHECK(message.private_data_whole);
    CHECK(first(message.private_data, 8) == kPrivate);
    CHECK(encoded(message) == mad);
  }
}

TEST_CASE("every byte of every message survives decode and encode, or is reserved") {
  for (int attribute = 0x10; attribute <= 0x1B; ++attribute) {
    CmMessage message;
    message.attribute = static_cast<CmAttribute>(attribute);
    Octets mad = encoded(message);
    int lost = 0;
    for (size_t at = 24; at < kMadSize; ++at) {
      Octets changed = mad;
      changed[at] = 0x5A;
      REQUIRE(decode(changed, message));
      lost += encoded(message) != changed;
    }
    INFO("attribute " << attribute);
    CHECK(lost <= 8);  // reserved bytes only
  }
}

TEST_CASE("REP, DREQ and REJ fields") {
  CmMessage message;
  SECTION("REP") {
    message.attribute = CmAttribute::rep;
    message.local_comm_id = 2;
    message.remote_comm_id = 1;
    message.local_qpn = 0x12;
    message.starting_psn = 0x345678;
    message.responder_resources = 7;
    message.initiator_depth = 8;
    const Octets mad = encoded(message);
    CHECK(first(slice(mad, 36), 3) == Octets{0, 0, 0x12});
    CHECK(first(slice(mad, 44), 3) == Octets{0x34, 0x56, 0x78});
    CHECK(mad[48] == 7);
    CHECK(mad[49] == 8);
    REQUIRE(decode(mad, message));
    CHECK(message.has_starting_psn);
    CHECK(message.has_depths);
    CHECK(message.starting_psn == 0x345678);
  }
  SECTION("DREQ") {
    message.attribute = CmAttribute::dreq;
    message.remote_qpn = 0x77;
    CHECK(first(slice(encoded(message), 32), 3) == Octets{0, 0, 0x77});
  }
  SECTION("REJ") {
    message.attribute = CmAttribute::rej;
    message.reject_reason = 28;
    CHECK(first(slice(encoded(message), 34), 2) == Octets{0, 28});
  }
}

TEST_CASE("cut at every byte") {
  const Octets mad = encoded(req());
  for (size_t captured = 0; captured <= mad.size(); ++captured) {
    const auto exact = std::make_unique<uint8_t[]>(captured);
    std::copy_n(mad.begin(), captured, exact.get());
    CmMessage message;
    INFO("captured " << captured);
    const bool decoded = decode(Bytes(exact.get(), captured), message);
    CHECK(decoded == (captured >= 24));
    if (decoded) {
      CHECK(message.fields_cut == (captured < 164));
      CHECK(message.has_depths == (captured >= 64));
      CHECK(message.has_starting_psn == (captured >= 71));
      CHECK((message.path_mtu() == 1024) == (captured >= 75));
      CHECK(message.private_data_whole == (captured == kMadSize));
      CHECK(message.ip.has_value() == (captured >= 200));
    }
  }
}

TEST_CASE("only MADs of the CM to QP1") {
  const Octets mad = encoded(req());
  Packet packet;
  packet.opcode = Opcode::ud_send_only;
  packet.dest_qp = kGeneralServicesQp;
  packet.deth = Deth{.q_key = kGeneralServicesQKey, .source_qp = 1};
  packet.payload = mad;
  CmMessage message;
  CHECK(decode(packet, message));
  SECTION("another queue pair") {
    packet.dest_qp = 5;
  }
  SECTION("another key") {
    packet.deth->q_key = 1;
  }
  SECTION("another opcode") {
    packet.opcode = Opcode::send_only;
  }
  SECTION("no DETH") {
    packet.deth.reset();
  }
  CHECK_FALSE(decode(packet, message));
}

TEST_CASE("MADs of other classes") {
  Octets mad = encoded(req());
  CmMessage message;
  SECTION("class") {
    mad[1] = 0x03;
  }
  SECTION("base version") {
    mad[0] = 2;
  }
  CHECK_FALSE(decode(mad, message));
}

TEST_CASE("path MTUs") {
  CmMessage message;
  message.req_mtu = 0x17;
  for (const uint32_t mtu : {256u, 512u, 1024u, 2048u, 4096u}) {
    message.set_path_mtu(mtu);
    CHECK(message.path_mtu() == mtu);
    CHECK((message.req_mtu & 0x0F) == 7);
  }
  message.req_mtu = 0x60;
  CHECK(message.path_mtu() == 0);
}
