// What a Survey keeps of the pieces of chunks, and when it forgets them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "rdma/roce/packet.h"
#include "sanitize/made.h"
#include "support/mended.h"

namespace steertag::sanitize {
namespace {

// One RPC whose Reply chunk is written to.
struct WrittenChunk {
  Plan plan{kKey, 1 << 20};
  Survey survey{kKey, {}, plan};
  track::Connection connection;
  flow::Exchange exchange;
  std::vector<uint8_t> bytes = {1, 2, 3, 4};

  WrittenChunk() {
    connection.transport = rdma::Transport::roce2;
    exchange.connection = &connection;
    exchange.segments.add().kind = flow::ChunkKind::reply;
    exchange.xid = 5;
    exchange.call = Stamp{.number = 7};
  }
  void write() {
    rdma::RdmaOp op;
    op.payload = bytes;
    survey.on(PlacementSeen{exchange, exchange.segments[0], op, 0, 4});
  }
  size_t waiting() const { return survey.waiting(connection); }
};

TEST_CASE_METHOD(WrittenChunk,
                 "of a connection that never was RPC-over-RDMA nothing is kept once it is over") {
  write();
  CHECK(waiting() == 1);
  survey.on(ConnectionClosed{.connection = connection});
  CHECK(waiting() == 0);
}

// Of a connection that is not claimed yet, an Exchange may go without a word, and another one come into its
// place.
TEST_CASE_METHOD(WrittenChunk, "what was written for one RPC is not another's that has come into its place") {
  write();
  write();
  CHECK(waiting() == 2);
  SECTION("with another XID") {
    exchange.xid = 6;
  }
  SECTION("with another Call") {
    exchange.call = Stamp{.number = 8};
  }
  write();
  CHECK(waiting() == 1);
}

// Its ICRC is wrong, and an earlier one of that sender is right: any word of it may be another.
TEST_CASE("of a damaged message no argument is shown, nor a result of its Reply") {
  for (const std::string damaged : {"", " bad_checksum"}) {
    INFO(damaged);
    const support::Trace trace = support::compiled(
        "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 READ write(none)" +
            damaged + "\nserver> reply data=64\n",
        scenario::Fabric::roce2);
    const support::Trace out = sanitized(trace);
    constexpr size_t kIcrc = 4, kHeaders = 14 + 20 + 8 + 12, kMessage = 28 + 40,
                     kStatusAt = kHeaders + 36 + 24;
    std::vector<size_t> messages;
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      if (trace.frames[i].bytes.size() >= kHeaders + kMessage) {
        messages.push_back(i);
      }
    }
    REQUIRE(messages.size() >= 4);
    const size_t call = messages[messages.size() - 2], reply = messages.back();
    const auto same = [&](size_t frame, size_t at) {
      const auto &was = trace.frames[frame].bytes, &is = out.frames[frame].bytes;
      return std::equal(was.begin() + static_cast<ptrdiff_t>(at),
                        was.begin() + static_cast<ptrdiff_t>(at) + 4,
                        is.begin() + static_cast<ptrdiff_t>(at));
    };
    CHECK(same(call, kHeaders + 28));                                                   // the XID
    CHECK(same(call, trace.frames[call].bytes.size() - kIcrc - 4) == damaged.empty());  // the count
    CHECK(same(reply, kStatusAt) == damaged.empty());
  }
}

// Its length may be content, and says how many PSNs it takes: what follows must not depend on it.
TEST_CASE("nothing follows from the length of a damaged Read Request") {
  constexpr size_t kBth = 14 + 20 + 8, kLength = kBth + 12 + 12;
  const support::Trace trace =
      support::compiled(std::string("client> connect mtu=256\n") + kRpcs, scenario::Fabric::roce2);
  const auto with_length = [&](uint8_t most) {
    support::Trace damaged = trace;
    size_t requests = 0;
    for (auto& frame : damaged.frames) {
      if (frame.bytes.size() > kLength && frame.bytes[kBth] == 0x0C) {
        frame.bytes[kLength] = most;
        ++requests;
      }
    }
    REQUIRE(requests != 0);
    return sanitized(damaged);
  };
  const support::Trace one = with_length(0x4B), two = with_length(0xDE);
  REQUIRE(one.frames.size() == two.frames.size());
  for (size_t i = 0; i < one.frames.size(); ++i) {
    INFO(i);
    CHECK(one.frames[i].bytes == two.frames[i].bytes);
  }
}

// It is no CONF_RDMA, or one that nobody can read: what stands there may be anything.
TEST_CASE("of a CONF_RDMA nothing is shown where more follows than its numbers") {
  const std::string number = "=0x41424344";
  for (const std::string security : {"", " auth=krb5i"}) {
    for (const std::string more : {"", " append=00000000"}) {
      INFO(security + more);
      const support::Trace trace =
          support::compiled("client> connect\nclient> call conf_rdma maxcall_sendsize" + number + security +
                                more + "\nserver> reply align=0x45464748" + more + "\n",
                            scenario::Fabric::roce2);
      const support::Trace out = sanitized(trace);
      for (const char* text : {"ABCD", "EFGH"}) {
        CHECK(holds(trace, text));
        CHECK(holds(out, text) == more.empty());
      }
    }
  }
}

// Data of a file may be the same bytes as a message, or as what another ends with.
TEST_CASE("data with the bytes of a message stays data") {
  support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 NULL\nserver> reply\n"
      "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 68\nserver> reply write(68)\n",
      scenario::Fabric::roce2);
  constexpr size_t kBth = 42, kSend = kBth + 12, kReth = 16, kMessage = 68, kIcrc = 4;  // bytes
  const auto find = [&](uint8_t opcode, size_t headers) {
    const auto found =
        std::find_if(trace.frames.begin(), trace.frames.end(), [&](const support::TraceFrame& frame) {
          return frame.bytes.size() == headers + kMessage + kIcrc && frame.bytes[kBth] == opcode;
        });
    REQUIRE(found != trace.frames.end());
    return static_cast<size_t>(found - trace.frames.begin());
  };
  const size_t call = find(0x04, kSend), write = find(0x0A, kSend + kReth);
  std::copy_n(trace.frames[call].bytes.begin() + kSend, kMessage,
              trace.frames[write].bytes.begin() + kSend + kReth);
  support::mend(trace, write);
  const support::Trace out = sanitized(trace);
  const auto shown = [&](size_t frame, size_t at) { return slice(out.frames[frame].bytes, at, kMessage); };
  CHECK(std::ranges::equal(shown(call, kSend), slice(trace.frames[call].bytes, kSend, kMessage)));
  CHECK(std::ranges::count(shown(write, kSend + kReth), 0) == kMessage);
}

TEST_CASE("bounds: names of packets") {
  PacketNames names;
  std::vector<uint8_t> bytes;
  rdma::roce::encode({}, bytes);
  link::Packet captured;
  captured.carrier = link::Carrier::roce2;
  captured.payload = bytes;
  captured.payload_length = static_cast<uint32_t>(bytes.size());
  for (uint64_t i = 0; i < PacketNames::kMost + 9; ++i) {
    names.add({.number = i}, captured);
  }
  CHECK(names.size() == PacketNames::kMost);
  CHECK_FALSE(names.find({.number = 8}));
  CHECK(names.find({.number = 9}));
}

TEST_CASE("bounds: the latest damaged packets are remembered") {
  const support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 NULL\nserver> reply\nrepeat " +
          std::to_string(Survey::kMostDamaged + 9) + "\nclient> call nfs3 NULL bad_checksum noack\nend\n",
      scenario::Fabric::roce2);
  Plan plan(kKey, 64 << 20);
  Survey survey(kKey, {}, plan);
  for (const support::TraceFrame& frame : trace.frames) {
    support::feed(survey, trace, frame);
  }
  CHECK(survey.damaged() == Survey::kMostDamaged);
}

}  // namespace
}  // namespace steertag::sanitize
