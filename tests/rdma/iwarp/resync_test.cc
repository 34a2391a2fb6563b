#include "rdma/iwarp/resync.h"

#include <random>

#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::iwarp;
using test::Buffer;
using test::Link;
using test::pattern;
using test::Recorder;

TEST_CASE("a lost segment costs the messages that it touched") {
  for (bool markers : {false, true}) {
    for (size_t lost = 0; lost < 20; ++lost) {
      Link link;
      link.open(markers);
      std::vector<Buffer> segments;
      std::vector<size_t> touches(60, SIZE_MAX);
      for (uint8_t i = 0; i < 60; ++i) {  // three Sends to a segment
        link.a.send(pattern(300, i));
        touches[i] = i / 3;
        if (i % 3 == 2) {
          segments.push_back(link.a.take());
        }
      }
      for (size_t i = 0; i < segments.size(); ++i) {
        i == lost ? link.lose(Side::a, segments[i].size()) : link.segment(Side::a, segments[i]);
        link.ack(Side::b);
      }
      link.finish();
      CHECK(link.out.gaps[0] == 1);
      CHECK(link.out.gaps[1] == 0);
      REQUIRE(link.out.ops.size() == 57);
      for (size_t i = 0, op = 0; i < 60; ++i) {
        if (touches[i] != lost) {
          REQUIRE(link.out.ops[op++].bytes == pattern(300, static_cast<uint8_t>(i)));
        }
      }
    }
  }
}

TEST_CASE("a hole inside a long FPDU leaves the next boundary known") {
  Link link;
  link.open();
  link.a.send(pattern(6000, 1));
  link.a.send(pattern(50, 2));
  const Buffer bytes = link.a.take();
  for (size_t at = 0; at < bytes.size(); at += 1000) {
    at == 2000 ? link.lose(Side::a, 1000) : link.segment(Side::a, slice(bytes, at, 1000));
  }
  link.ack(Side::b);
  REQUIRE(link.out.ops.size() == 2);
  CHECK(link.out.gaps[0] == 1);
  CHECK(link.out.ops[0].payload_length == 6000);
  CHECK(link.out.ops[0].bytes.size() == 2000 - 20);
  CHECK(link.out.ops[1].bytes == pattern(50, 2));
  CHECK(link.tcp().counters().resyncs == 0);
}

// One FPDU to a segment, or several; whole, or cut by a snaplen; with a CRC, or zeros for it.
TEST_CASE("markers of a connection met in the middle are not taken for what they stand in") {
  for (const unsigned variant : {0u, 1u, 2u, 3u, 4u}) {
    Link link;
    link.isn = {5, 6};
    link.a.crc = (variant & 1) == 0;
    link.a.markers.in_use = true;
    link.a.send(pattern(100, 0));
    link.lose(Side::a, link.a.take().size());
    const uint32_t together = (variant & 2) == 0 ? 1 : 3;
    for (uint32_t i = 1; i < 300; ++i) {
      link.a.send(pattern(100 + i % 7 * 20, static_cast<uint8_t>(i)));
      if (i % together == 0) {
        const Buffer bytes = link.a.take();
        const size_t captured = (variant & 4) == 0 ? bytes.size() : std::min<size_t>(90, bytes.size());
        link.segment(Side::a, bytes, bytes.size() - captured);
        link.ack(Side::b);
      }
    }
    link.finish();
    CHECK(link.out.ops.size() > 100 / together);
    for (const Recorder::Op& op : link.out.ops) {
      const Buffer sent = pattern(op.payload_length, op.bytes.empty() ? 0 : op.bytes[0]);
      CHECK(op.bytes == Buffer(sent.begin(), sent.begin() + static_cast<ptrdiff_t>(op.bytes.size())));
    }
  }
}

TEST_CASE("a search that takes longer than what is kept goes on at the latest boundary") {
  test::Half half;
  half.crc = false;
  uint64_t boundary = 0;
  for (uint8_t i = 0; i < 3; ++i) {
    boundary = half.bytes.size();
    half.tagged(Opcode::write, 9, 0x10000u * i, pattern(24000, i));
  }
  Resync resync;
  Resync::Hints hints;
  hints.crc = false;
  std::optional<uint64_t> found;
  for (uint64_t at = 0; at < half.bytes.size() && !found; at += 8) {  // more pieces than are kept
    const Bytes piece = slice(half.bytes, at, 8);
    found = resync.on_bytes({at, piece, static_cast<uint32_t>(piece.size()), true, {}}, hints);
  }
  CHECK(found == boundary);
}

TEST_CASE("a connection met in the middle is recognised by its FPDUs") {
  for (size_t skip : {0u, 1u, 700u, 1500u}) {
    Link link;
    link.options.ports.clear();
    link.isn = {5, 6};
    for (uint8_t i = 0; i < 40; ++i) {
      link.b.tagged(Opcode::write, 9, 0x1000u * i, pattern(1400, i));
      link.b.send(pattern(100, i));
    }
    const Buffer bytes = link.b.take();
    for (size_t at = skip; at < bytes.size(); at += 1420 + 124) {  // an FPDU of either kind to a segment
      const size_t size = at == skip ? 1420 + 124 - skip : 1420 + 124;
      link.segment(Side::b, slice(bytes, at, size));
      at -= at == skip ? skip : 0;
    }
    CHECK(link.tcp().proof() == Proof::rdma);
    CHECK_FALSE(link.tcp().initiator());
    CHECK(link.out.gaps[1] == 0);
    CHECK(link.out.count(OpKind::send) >= 38);
    CHECK(link.out.ops.back().bytes == pattern(100, 39));
  }
}

TEST_CASE("boundaries that never fall on segment starts are found by the deep scan") {
  Link link;
  link.options.ports.clear();
  for (uint8_t i = 0; i < 60; ++i) {
    link.b.tagged(Opcode::write, 9, 0x1000u * i, pattern(1389, i));
  }
  Buffer bytes = link.b.take();
  bytes.erase(bytes.begin(), bytes.begin() + 333);
  for (size_t at = 0; at < bytes.size(); at += 1000) {
    link.segment(Side::b, slice(bytes, at, 1000));
  }
  CHECK(link.tcp().proof() == Proof::rdma);
  CHECK(link.out.count(OpKind::write) > 40);
}

TEST_CASE("what is not MPA is told apart") {
  std::mt19937 random(11);
  SECTION("from its first bytes, where the SYN was seen") {
    Link link;
    link.syn();
    link.segment(Side::a, pattern(100, 3));
    CHECK(link.tcp().proof() == Proof::not_rdma);
  }
  SECTION("in the middle, for lack of FPDUs") {
    for (unsigned kind = 0; kind < 4; ++kind) {
      Link link;
      link.port = {1000, 2049};
      for (unsigned i = 0; i < 64; ++i) {
        Buffer bytes(1448, kind == 1 ? 0x41 : 0);
        for (uint8_t& byte : bytes) {
          byte = kind == 2   ? static_cast<uint8_t>(random())
                 : kind == 3 ? static_cast<uint8_t>(random() % 3)
                             : byte;
        }
        link.segment(Side::a, bytes);
        link.segment(Side::b, bytes);
      }
      CHECK(link.tcp().proof() == Proof::not_rdma);
      CHECK(link.out.ops.empty());
    }
  }
  SECTION("never on a port that is named") {
    Link link;
    for (unsigned i = 0; i < 400; ++i) {
      link.segment(Side::a, Buffer(1000, 0));
      link.segment(Side::b, Buffer(1000, 0));
    }
    CHECK(link.tcp().proof() == Proof::undecided);
    for (uint8_t i = 0; i < 4; ++i) {
      link.a.send(pattern(100, i));
      link.flush(Side::a);
    }
    CHECK(link.tcp().proof() == Proof::rdma);
    CHECK(link.out.ops.size() == 4);
  }
}

TEST_CASE("a snaplen leaves prefixes and keeps the framing") {
  for (size_t snap : {64u, 100u}) {
    Link link;
    link.open();
    for (uint8_t i = 0; i < 20; ++i) {
      link.a.send(pattern(4000, i));
      const Buffer bytes = link.a.take();
      for (size_t at = 0; at < bytes.size(); at += 1448) {
        const Bytes part = slice(bytes, at, 1448);
        link.segment(Side::a, part, part.size() - snap);
      }
    }
    REQUIRE(link.out.ops.size() == 20);
    CHECK(link.out.gaps[0] == 0);
    for (const Recorder::Op& op : link.out.ops) {
      CHECK(op.payload_length == 4000);
      CHECK(op.bytes.size() == snap - 20);
    }
  }
}

TEST_CASE("FPDUs behind the snaplen are a gap, the next segment is read again") {
  Link link;
  link.open();
  for (uint8_t i = 0; i < 10; ++i) {
    link.a.send(pattern(100, i));
    link.a.send(pattern(100, i));
    const Buffer bytes = link.a.take();
    link.segment(Side::a, bytes, bytes.size() - 80);
  }
  CHECK(link.out.ops.size() == 10);
  CHECK(link.out.gaps[0] == 10);
}

TEST_CASE("hostile lengths and headers") {
  std::mt19937 random(3);
  for (unsigned length : {0u, 1u, 2u, 13u, 14u, 17u, 18u, 45u, 65535u}) {
    for (unsigned opcode = 0; opcode < 16; ++opcode) {
      Link link;
      link.open();
      Buffer bytes{static_cast<uint8_t>(length >> 8), static_cast<uint8_t>(length), 0x41,
                   static_cast<uint8_t>(0x40 | opcode)};
      bytes.resize(20 + length / 20, 0xFF);
      link.segment(Side::a, bytes);
      bytes[2] = 0xC1;
      link.segment(Side::a, bytes);
      for (uint8_t i = 0; i < 4; ++i) {
        link.a.send(pattern(70, i));
        link.flush(Side::a);
      }
      link.finish();
    }
  }
}

TEST_CASE("random damage to real streams is survived") {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 300; ++round) {
    Link link;
    link.options.verify_crc = true;
    if (random() % 3) {
      link.open(random() % 2);
    }
    for (unsigned i = 0; i < 30; ++i) {
      const Side from = random() % 2 ? Side::a : Side::b;
      test::Half& half = link.half(from);
      switch (random() % 6) {
        case 0:
          half.send(pattern(random() % 3000, 1), Opcode::send, 0, 1 + random() % 2000);
          break;
        case 1:
          half.tagged(Opcode::write, 1, random(), pattern(random() % 9000, 1), 1 + random() % 4000);
          break;
        case 2:
          half.tagged(Opcode::read_response, 1, random() % 50, pattern(random() % 100, 1));
          break;
        case 3:
          half.read_request({1, 0, static_cast<uint32_t>(random()), 2, 0});
          break;
        case 4:
          half.fpdu(pattern(random() % 100, static_cast<uint8_t>(random())));
          break;
        default:
          half.send(pattern(random() % 100, 1));
          break;
      }
      Buffer bytes = half.take();
      for (unsigned n = random() % 8; n == 1 && !bytes.empty(); ++n) {
        bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
      }
      for (size_t at = 0; at < bytes.size();) {
        const Bytes part = slice(bytes, at, 1 + random() % 2000);
        if (random() % 12 == 0) {
          link.lose(from, part.size());
        } else {
          link.segment(from, part, random() % 10 == 0 ? random() % part.size() : 0);
        }
        at += part.size();
      }
      if (random() % 20 == 0) {
        link.sent[index(from)] += static_cast<uint32_t>(random());
      }
    }
    link.finish();
  }
}
