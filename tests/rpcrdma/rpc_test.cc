#include "rpcrdma/rpc.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "samples.h"
#include "wire/outline.h"
#include "wire/writer.h"

using namespace steertag;
using namespace rpcrdma;
using samples::unhex;

namespace {

RpcDecoded read(const std::vector<uint8_t>& bytes, RpcHeader& into) {
  return decode(bytes, static_cast<uint32_t>(bytes.size()), into);
}

RpcHeader call() {
  RpcHeader header;
  header.xid = 0x01020304;
  header.rpcvers = 2;
  header.program = 100003;
  header.version = 4;
  header.procedure = 1;
  return header;
}

constexpr std::array<uint8_t, 5> kHandle = {1, 2, 3, 4, 5};

RpcHeader gss_call(GssService service) {
  RpcHeader header = call();
  header.credential.flavor = Flavor::gss;
  GssCredential gss;
  gss.version = 1;
  gss.seq = 7;
  gss.service = service;
  gss.handle = kHandle;
  wire::write(header.credential.body, gss);
  header.verifier = {Flavor::gss, {9, 9, 9}, {}};
  return header;
}

}  // namespace

TEST_CASE("an RPC Call with void authentication is 40 bytes") {
  std::vector<uint8_t> bytes;
  encode(call(), bytes);
  CHECK(bytes ==
        unhex("01020304 00000000 00000002 000186a3 00000004 00000001 00000000 00000000 00000000 00000000"));
  RpcHeader header;
  const RpcDecoded decoded = read(bytes, header);
  CHECK_FALSE(decoded.stop);
  CHECK(decoded.header_length == 40);
  CHECK(header == call());
  CHECK(header.call());
}

TEST_CASE("credentials and verifiers lengthen the header, padded") {
  RpcHeader header = call();
  header.credential = {Flavor::sys, std::vector<uint8_t>(33), {}};
  header.verifier = {Flavor::sys, std::vector<uint8_t>(2), {}};
  std::vector<uint8_t> bytes;
  encode(header, bytes);
  bytes.resize(bytes.size() + 100);
  RpcHeader again;
  const RpcDecoded decoded = read(bytes, again);
  CHECK(decoded.header_length == 40 + 36 + 4);
  CHECK(again == header);
  CHECK(again.credential.at == Range{24, 44});
}

TEST_CASE("a GSS credential says whether arguments are wrapped") {
  std::vector<uint8_t> bytes;
  encode(gss_call(GssService::privacy), bytes);
  RpcHeader header;
  CHECK_FALSE(read(bytes, header).stop);
  const std::optional<GssCredential> gss = gss_credential(header.credential);
  REQUIRE(gss);
  CHECK(gss->proc == GssProc::data);
  CHECK(gss->seq == 7);
  CHECK(gss->service == GssService::privacy);
  CHECK(std::equal(gss->handle.begin(), gss->handle.end(), kHandle.begin(), kHandle.end()));
  CHECK(wrapped(header.credential));
  CHECK(wrapped(gss_call(GssService::integrity).credential));
  CHECK_FALSE(wrapped(gss_call(GssService::none).credential));
  CHECK_FALSE(wrapped(call().credential));
}

TEST_CASE("a GSS body that is too short is no credential") {
  Auth auth = gss_call(GssService::privacy).credential;
  auth.body.resize(15);
  CHECK_FALSE(gss_credential(auth));
  CHECK_FALSE(wrapped(auth));
}

TEST_CASE("RPC Replies end where their status says") {
  RpcHeader header;
  const auto length_of = [&](const std::string& hex) {
    const RpcDecoded decoded = read(unhex(hex), header);
    CHECK_FALSE(decoded.stop);
    return decoded.header_length;
  };
  SECTION("accepted, success") {
    CHECK(length_of("00000001 00000001 00000000 00000000 00000000 00000000 ffffffff") == 24);
    CHECK(header.succeeded());
  }
  SECTION("accepted, with a verifier") {
    CHECK(length_of("00000001 00000001 00000000 00000006 00000003 01020300 00000000") == 28);
    CHECK(header.verifier.body.size() == 3);
  }
  SECTION("accepted, PROG_MISMATCH") {
    CHECK(length_of("00000001 00000001 00000000 00000000 00000000 00000002 00000002 00000004") == 32);
    CHECK(header.accept_stat == AcceptStat::prog_mismatch);
    CHECK(header.low == 2);
    CHECK(header.high == 4);
    CHECK_FALSE(header.succeeded());
  }
  SECTION("accepted, GARBAGE_ARGS") {
    CHECK(length_of("00000001 00000001 00000000 00000000 00000000 00000004 ffffffff") == 24);
  }
  SECTION("denied, RPC_MISMATCH") {
    CHECK(length_of("00000001 00000001 00000001 00000000 00000002 00000002") == 24);
    CHECK(header.reject_stat == RejectStat::rpc_mismatch);
    CHECK(header.high == 2);
  }
  SECTION("denied, AUTH_ERROR") {
    CHECK(length_of("00000001 00000001 00000001 00000001 0000000d") == 20);
    CHECK(header.auth_stat == 13);
  }
}

TEST_CASE("what is no RPC message ends the header without a stop") {
  RpcHeader header;
  CHECK(read(unhex("00000001 00000007 00000000"), header).header_length == 8);
  CHECK_FALSE(read(unhex("00000001 00000007 00000000"), header).stop);
  CHECK(read(unhex("00000001 00000001 00000009 00000000"), header).header_length == 12);
}

TEST_CASE("an RPC header cut anywhere keeps what was read") {
  const RpcHeader whole = gss_call(GssService::integrity);
  std::vector<uint8_t> bytes;
  encode(whole, bytes);
  RpcHeader header;
  for (size_t length = 0; length < bytes.size(); ++length) {
    INFO("cut at " << length);
    const std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<long>(length));
    const RpcDecoded by_capture = decode(cut, static_cast<uint32_t>(bytes.size()), header);
    REQUIRE(by_capture.stop);
    REQUIRE(by_capture.stop->limit == wire::Limit::capture);
    REQUIRE(by_capture.stop->offset + by_capture.stop->available == length);
    REQUIRE((by_capture.header_length >= 24) == (header.procedure == 1));
    const RpcDecoded by_sender = read(cut, header);
    REQUIRE(by_sender.stop);
    REQUIRE(by_sender.stop->limit == wire::Limit::message);
  }
}

TEST_CASE("an RPC header read after another shows nothing of it") {
  std::vector<uint8_t> first, second;
  encode(gss_call(GssService::integrity), first);
  second = unhex("00000009 00000001 00000001 00000001 00000005");
  RpcHeader header;
  read(first, header);
  read(second, header);
  RpcHeader expected;
  expected.xid = 9;
  expected.type = MsgType::reply;
  expected.reply_stat = ReplyStat::denied;
  expected.reject_stat = RejectStat::auth_error;
  expected.auth_stat = 5;
  CHECK(header == expected);
  read(unhex("00000009 00000001 00000000 00000000 00000000 00000000"), header);
  expected = {};
  expected.xid = 9;
  expected.type = MsgType::reply;
  CHECK(header == expected);
  read(unhex("0000000a"), header);  // it ends before it says what it is
  expected = {};
  expected.xid = 10;
  CHECK(header == expected);
}

TEST_CASE("an RPC header has an outline") {
  std::vector<uint8_t> bytes;
  encode(call(), bytes);
  RpcHeader header;
  std::vector<wire::Node> nodes;
  CHECK_FALSE(wire::outline(bytes, bytes.size(), header, nodes));
  CHECK(wire::text(nodes) ==
        "xid: 0x01020304 [0+4]\n"
        "mtype: CALL (0) [4+4]\n"
        "rpcvers: 2 [8+4]\n"
        "prog: 100003 [12+4]\n"
        "vers: 4 [16+4]\n"
        "proc: 1 [20+4]\n"
        "cred [24+8]\n"
        "  flavor: AUTH_NONE (0) [24+4]\n"
        "  body:  [28+4]\n"
        "verf [32+8]\n"
        "  flavor: AUTH_NONE (0) [32+4]\n"
        "  body:  [36+4]\n");
}
