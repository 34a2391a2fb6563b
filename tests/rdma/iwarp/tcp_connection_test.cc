#include "rdma/iwarp/tcp_connection.h"

#include <random>

#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::iwarp;
using test::Buffer;
using test::Link;
using test::pattern;
using test::Recorder;

namespace {

// A call with a Read, a Write and an answer that invalidates.
void write_exchange(Link& link, uint8_t seed) {
  link.a.send(pattern(200, seed));
  link.flush(Side::a);
  link.b.read_request({0x51, 0x1000, 3000, 0x77, 0xABC000});
  link.flush(Side::b);
  link.a.tagged(Opcode::read_response, 0x51, 0x1000, pattern(3000, seed), 1400);
  link.flush(Side::a);
  link.b.tagged(Opcode::write, 0x88, 0xDEF000, pattern(2500, seed), 1000);
  link.b.send(pattern(100, seed), Opcode::send_solicited_invalidate, 0x77);
  link.flush(Side::b);
}

void check_exchange(const Recorder& out, size_t from, uint8_t seed) {
  REQUIRE(out.ops.size() >= from + 9);
  const Recorder::Op* op = &out.ops[from];
  CHECK(op[0].kind == OpKind::send);
  CHECK(op[0].from == Side::a);
  CHECK(op[0].bytes == pattern(200, seed));
  CHECK(op[1].kind == OpKind::read_request);
  CHECK(op[1].memory.handle == 0x77);
  CHECK(op[1].memory.length == 3000);
  for (size_t i = 2, at = 0; i < 5; at += op[i].payload_length, ++i) {
    CHECK(op[i].kind == OpKind::read_response);
    CHECK(op[i].id == op[1].id);
    CHECK(op[i].memory.handle == 0x77);
    CHECK(op[i].memory.offset == 0xABC000 + at);
    CHECK(op[i].memory.length == op[i].payload_length);
    CHECK(op[i].first == (i == 2));
    CHECK(op[i].last == (i == 4));
  }
  for (size_t i = 5, at = 0; i < 8; at += op[i].payload_length, ++i) {
    CHECK(op[i].kind == OpKind::write);
    CHECK(op[i].id == op[1].id + 1);
    CHECK(op[i].memory.handle == 0x88);
    CHECK(op[i].memory.offset == 0xDEF000 + at);
    CHECK(op[i].first == (i == 5));
    CHECK(op[i].last == (i == 7));
  }
  CHECK(op[8].invalidate == 0x77u);
  CHECK(op[8].solicited);
  CHECK(op[8].bytes == pattern(100, seed));
}

}  // namespace

TEST_CASE("an exchange of Send, Read, Write and Send With Invalidate") {
  for (bool markers : {false, true}) {
    Link link;
    link.options.verify_crc = true;
    link.open(markers);
    write_exchange(link, 1);
    write_exchange(link, 2);
    CHECK(link.out.ops.size() == 18);
    check_exchange(link.out, 0, 1);
    check_exchange(link.out, 9, 2);
    CHECK(link.tcp().proof() == Proof::rdma);
    CHECK(link.tcp().initiator() == Side::a);
    CHECK(link.tcp().mpa().markers[0] == markers);
    CHECK(link.tcp().mpa().crc == true);
    CHECK(link.tcp().counters().crc_checked == 18);
    CHECK(link.tcp().counters().crc_bad == 0);
    CHECK(link.out.gaps == std::array<unsigned, 2>{0, 0});
    link.fin(Side::a);
    CHECK(link.out.ends.empty());
    link.fin(Side::b);
    CHECK(link.out.ends == std::vector{EndReason::fin});
  }
}

TEST_CASE("who closes or resets a connection is who its peer believes") {
  Link link;
  link.open();
  link.rst(Side::b, 90'000'000);
  link::Packet late = link.packet(Side::b);
  late.tcp.fin = true;
  late.tcp.sequence -= 90'000'000;
  link.push(Side::b, late);
  CHECK_FALSE(link.tcp().closings().first);
  link.fin(Side::a);
  link.rst(Side::b);
  const Closings& closings = link.tcp().closings();
  REQUIRE((closings.first && closings.reset));
  CHECK(closings.first->by == Side::a);
  CHECK_FALSE(closings.first->reset);
  CHECK(closings.reset->by == Side::b);
  CHECK(link.out.ends == std::vector{EndReason::reset});
}

TEST_CASE(
    "a FIN that nobody acknowledges ends its connection with the capture, one that is acknowledged does "
    "not") {
  const bool acknowledged = GENERATE(true, false);
  Link link;
  link.open();
  link.fin(Side::a);
  if (acknowledged) {
    link.ack(Side::b);
  }
  link.finish();
  CHECK(link.out.ends == (acknowledged ? std::vector<EndReason>{} : std::vector{EndReason::fin}));
}

TEST_CASE("a wrong CRC is counted, and where it was") {
  Link link;
  link.options.verify_crc = true;
  link.open();
  link.a.send(pattern(100, 1));
  link.a.bytes[50] ^= 1;
  link.flush(Side::a);
  CHECK(link.tcp().counters().crc_bad == 1);
  REQUIRE(link.tcp().counters().first_crc_bad);
  CHECK(link.tcp().counters().first_crc_bad->number == link.frames);
  CHECK(link.out.ops.size() == 1);
}

TEST_CASE("FPDUs cut in two at every byte") {
  for (bool markers : {false, true}) {
    Buffer bytes;
    {
      Link writer;
      writer.a.markers.in_use = markers;
      writer.a.send(pattern(30, 1));
      writer.a.tagged(Opcode::write, 5, 6, pattern(500, 2));
      writer.a.send(pattern(40, 3));
      bytes = writer.a.take();
    }
    for (size_t cut = 1; cut < bytes.size(); ++cut) {
      Link link;
      link.open(markers);
      link.segment(Side::a, slice(bytes, 0, cut));
      link.segment(Side::a, slice(bytes, cut));
      REQUIRE(link.out.ops.size() == 3);
      REQUIRE(link.out.ops[0].bytes == pattern(30, 1));
      REQUIRE(link.out.ops[1].bytes == pattern(500, 2));
      REQUIRE(link.out.ops[2].bytes == pattern(40, 3));
    }
    Link link;  // and one byte at a time
    link.open(markers);
    for (size_t i = 0; i < bytes.size(); ++i) {
      link.segment(Side::a, slice(bytes, i, 1));
    }
    REQUIRE(link.out.ops.size() == 3);
    CHECK(link.out.ops[1].bytes == pattern(500, 2));
    CHECK(link.out.ops[0].numbers.size() > 50);
  }
}

TEST_CASE("segments out of order, twice and overlapping") {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 60; ++round) {
    Link link;
    link.open(round % 2);
    for (uint8_t i = 0; i < 30; ++i) {
      link.a.send(pattern(20u + i * 40u, i));
    }
    const Buffer bytes = link.a.take();
    struct Piece {
      size_t at, size;
    };
    std::vector<Piece> pieces;
    for (size_t at = 0; at < bytes.size();) {
      const size_t size = std::min<size_t>(1 + random() % 900, bytes.size() - at);
      pieces.push_back({at, size});
      if (random() % 4 == 0) {
        pieces.push_back({at - std::min<size_t>(at, random() % 300), size});
      }
      at += size;
    }
    for (size_t i = 0; i + 1 < pieces.size(); ++i) {
      std::swap(pieces[i], pieces[std::min(pieces.size() - 1, i + random() % 6)]);
    }
    const uint32_t begin = link.sent[0];
    for (const Piece& piece : pieces) {
      link.sent[0] = begin + static_cast<uint32_t>(piece.at);
      link.segment(Side::a, slice(bytes, piece.at, piece.size));
    }
    REQUIRE(link.out.ops.size() == 30);
    for (uint8_t i = 0; i < 30; ++i) {
      REQUIRE(link.out.ops[i].bytes == pattern(20u + i * 40u, i));
      REQUIRE(link.out.ops[i].id == i + 1u);
    }
    REQUIRE(link.out.gaps[0] == 0);
  }
}

TEST_CASE("what fills a hole late is not sent again") {
  Link link;
  link.open();
  link.a.send(pattern(40, 1));
  const Buffer missing = link.a.take();
  link::Packet late = link.packet(Side::a);
  late.payload = missing;
  late.payload_length = static_cast<uint32_t>(missing.size());
  link.lose(Side::a, missing.size());
  for (uint8_t i = 2; i < 6; ++i) {
    link.a.send(pattern(40, i));
    link.flush(Side::a);
    link.ack(Side::b);
  }
  REQUIRE(link.out.gaps[0] == 1);
  link.push(Side::a, late);
  CHECK(link.out.retransmissions == 0);
}

TEST_CASE("Terminate carries what was objected to") {
  Link link;
  link.open();
  TerminateHeader terminate;
  SECTION("a Write") {
    terminate.layer_etype = 0x11;
    terminate.code = 1;
    terminate.header_control = TerminateHeader::kLength | TerminateHeader::kDdp;
    terminate.segment_length = 14 + 1000;
    terminate.terminated = Control::make(Opcode::write, true);
    terminate.tagged = {terminate.terminated, 0x99, 0x5000};
  }
  SECTION("a Read Request") {
    terminate.layer_etype = 0x01;
    terminate.code = 0;
    terminate.header_control = TerminateHeader::kLength | TerminateHeader::kDdp | TerminateHeader::kRdmap;
    terminate.segment_length = 46;
    terminate.terminated = Control::make(Opcode::read_request, true);
    terminate.read_request = {1, 2, 1000, 0x99, 0x5000};
  }
  link.a.terminate(terminate);
  link.flush(Side::a);
  REQUIRE(link.out.faults.size() == 1);
  const Fault& fault = link.out.faults[0];
  CHECK(fault.from == Side::a);
  CHECK(fault.layer == terminate.layer());
  CHECK(fault.etype == 1);
  CHECK(fault.code == terminate.code);
  REQUIRE(fault.memory);
  CHECK(fault.memory->handle == 0x99);
  CHECK(fault.memory->offset == 0x5000);
  CHECK(fault.memory->length == 1000);
  CHECK(link.out.ends == std::vector{EndReason::terminate});
}

TEST_CASE("Terminate names memory only where the segment that it is about does") {
  const auto memory = [](Control control, uint16_t segment_length) {
    Link link;
    link.open();
    TerminateHeader terminate;
    terminate.layer_etype = 0x12;
    terminate.header_control = TerminateHeader::kLength | TerminateHeader::kDdp;
    terminate.segment_length = segment_length;
    terminate.terminated = control;
    terminate.tagged = {control, 0x99, 0x5000};
    link.a.terminate(terminate);
    link.flush(Side::a);
    REQUIRE(link.out.faults.size() == 1);
    return link.out.faults[0].memory;
  };
  CHECK_FALSE(memory(Control::make(Opcode::send, true), 1018));
  const Control write = Control::make(Opcode::write, true);
  for (const uint16_t length : {0, 13, 14}) {
    REQUIRE(memory(write, length));
    CHECK(memory(write, length)->length == 0);
  }
  REQUIRE(memory(write, 15));
  CHECK(memory(write, 15)->length == 1);
}

TEST_CASE("Sends in pieces, Writes between them") {
  Link link;
  link.open();
  link.a.send(pattern(5000, 1), Opcode::send_invalidate, 0x33, 1000);
  link.flush(Side::a);
  REQUIRE(link.out.ops.size() == 5);
  for (uint32_t i = 0; i < 5; ++i) {
    const Recorder::Op& op = link.out.ops[i];
    CHECK(op.id == 1);
    CHECK(op.message_offset == i * 1000);
    CHECK(op.first == (i == 0));
    CHECK(op.last == (i == 4));
    CHECK(op.invalidate.has_value() == op.last);
  }
}

TEST_CASE("a Write that goes on behind a gap where it stood is the same one") {
  Link link;
  link.open();
  link.a.tagged(Opcode::write, 7, 0x1000, pattern(200, 1), 100);
  const Buffer write = link.a.take();
  link.segment(Side::a, slice(write, 0, write.size() / 2));
  link.a.send(pattern(40, 2));
  link.lose(Side::a, link.a.take().size());
  link.segment(Side::a, slice(write, write.size() / 2));
  link.ack(Side::b);
  link.finish();
  REQUIRE(link.out.count(OpKind::write) == 2);
  REQUIRE(link.out.gaps[0] == 1);
  CHECK(link.out.ops[1].id == link.out.ops[0].id);
  CHECK_FALSE(link.out.ops[1].first);
  CHECK(link.out.ops[1].last);
}

TEST_CASE("Read Responses find the oldest Request whose sink they fill") {
  Link link;
  link.open();
  link.a.read_request({7, 0x1000, 100, 0x10, 0});  // the same sink STag again and again
  link.a.read_request({7, 0x1000, 100, 0x20, 0});
  link.a.read_request({7, 0x2000, 100, 0x30, 0});
  link.flush(Side::a);
  link.b.tagged(Opcode::read_response, 7, 0x1000, pattern(100, 1));
  link.b.tagged(Opcode::read_response, 7, 0x1000, pattern(100, 1), 40);
  link.b.tagged(Opcode::read_response, 7, 0x2000, pattern(100, 1));
  link.b.tagged(Opcode::read_response, 7, 0x2000, pattern(100, 1));
  link.flush(Side::b);
  std::vector<std::pair<uint64_t, uint32_t>> heard;
  for (const Recorder::Op& op : link.out.ops) {
    if (op.kind == OpKind::read_response) {
      heard.emplace_back(op.id, op.memory.handle);
    }
  }
  CHECK(heard == std::vector<std::pair<uint64_t, uint32_t>>{
                     {1, 0x10}, {2, 0x20}, {2, 0x20}, {2, 0x20}, {3, 0x30}, {0, 0}});
}
