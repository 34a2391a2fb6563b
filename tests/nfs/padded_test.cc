#include "nfs/padded.h"

#include <catch2/catch.hpp>

#include "rpcrdma/programs.h"
#include "wire/writer.h"

using namespace steertag;
using nfs::Reason;
using rpcrdma::v1::Padding;

namespace {

constexpr uint32_t kFront = 36;  // bytes of the header of an RDMA_MSGP without chunks

std::vector<uint8_t> call_header(uint32_t version, uint32_t procedure) {
  rpcrdma::RpcHeader header;
  header.rpcvers = 2;
  header.program = rpcrdma::program_nfs;
  header.version = version;
  header.procedure = procedure;
  std::vector<uint8_t> bytes;
  rpcrdma::encode(header, bytes);
  return bytes;
}

// A WRITE of NFSv3 with `count` bytes, and `pad` bytes before them.
std::vector<uint8_t> write_call(uint32_t count, size_t pad) {
  std::vector<uint8_t> bytes = call_header(3, 7);
  wire::Writer writer(bytes);
  writer.opaque("file", std::vector<uint8_t>(32));
  writer("offset", uint64_t{0});
  writer("count", count);
  writer("stable", uint32_t{0});
  writer("length", count);
  bytes.resize(bytes.size() + pad + nfs::padded(count));
  return bytes;
}

constexpr uint64_t kData = 96;  // where the data begins without pad

bool walk(const std::vector<uint8_t>& bytes, Padding padding, nfs::CallWalk& into) {
  return nfs::walk_padded_call({bytes, nullptr, bytes.size()}, padding, kFront, into);
}

}  // namespace

TEST_CASE("padded: places count from the start of the Send") {
  nfs::CallWalk call;
  REQUIRE(write_call(600, 0).size() == kData + 600);
  const std::vector<uint8_t> bytes = write_call(600, 512 - kData - kFront);
  CHECK(walk(bytes, {512, 128}, call));
  CHECK(call.complete());
  REQUIRE(call.pads.size() == 1);
  CHECK(call.pads[0] == Range{kData, 512 - kData - kFront});
  REQUIRE(call.items.size() == 1);
  CHECK(call.items[0].position == 512 - kFront);
  CHECK(call.items[0].count == 600);
}

TEST_CASE("padded: a pad has bytes, be it one") {
  nfs::CallWalk call;
  CHECK(walk(write_call(600, 0), {kData + kFront, 128}, call));
  CHECK(call.complete());
  CHECK(call.pads.empty());
  CHECK(walk(write_call(600, 1), {kData + kFront + 1, 128}, call));
  CHECK(call.complete());
  REQUIRE(call.pads.size() == 1);
  CHECK(call.pads[0] == Range{kData, 1});
}

TEST_CASE("padded: or from that of the RPC message") {
  nfs::CallWalk call;
  CHECK(walk(write_call(600, 512 - kData), {512, 128}, call));
  CHECK(call.complete());
  CHECK(call.items[0].position == 512);
}

TEST_CASE("padded: data of just the threshold may be padded or not, shorter data is not") {
  nfs::CallWalk call;
  CHECK(walk(write_call(600, 512 - kData - kFront), {512, 600}, call));
  CHECK(call.complete());
  CHECK(walk(write_call(600, 0), {512, 600}, call));
  CHECK(call.complete());
  CHECK(call.pads.empty());
  CHECK(walk(write_call(600, 0), {512, 1000}, call));
  CHECK(call.complete());
  CHECK_FALSE(walk(write_call(600, 512 - kData - kFront), {512, 1000}, call));
  CHECK(call.reason == Reason::ambiguous);
}

TEST_CASE("padded: numbers that cannot be") {
  nfs::CallWalk call;
  CHECK_FALSE(walk(write_call(600, 0), {512, 128}, call));
  CHECK(call.items.empty());
  CHECK(walk(write_call(600, 0), {0, 0}, call));
  CHECK(call.complete());
  CHECK(walk(write_call(600, 0), {1, 0}, call));
  CHECK(call.complete());
  CHECK_FALSE(walk(write_call(600, 0), {UINT32_MAX, 0}, call));
}

TEST_CASE("padded: operations that only a wrong reading comes upon are not told") {
  std::vector<uint8_t> bytes = call_header(4, 1);
  wire::Writer writer(bytes);
  constexpr uint32_t kWrite = 38, kGetAttr = 9;
  writer("tag", uint32_t{0});
  writer("minorversion", uint32_t{1});
  writer("operations", uint32_t{2});
  writer("opcode", kWrite);
  bytes.resize(bytes.size() + 28);
  writer("length", uint32_t{600});
  bytes.resize(bytes.size() + 600);
  for (int i = 0; i < 2; ++i) {  // one too many
    writer("opcode", kGetAttr);
    writer("bitmap", uint32_t{0});
  }
  nfs::CallWalk call;
  walk(bytes, {512, 1000}, call);
  CHECK(call.reason == Reason::ambiguous);
  CHECK(call.compound.operations.empty());
  CHECK(call.compound.certain == 0);
  CHECK(call.wanted.empty());
}

TEST_CASE("padded: what was not captured is not misplaced") {
  nfs::CallWalk call;
  const std::vector<uint8_t> bytes = write_call(600, 512 - kData - kFront);
  const Bytes cut(bytes.data(), 80);
  CHECK(nfs::walk_padded_call({cut, nullptr, bytes.size()}, {512, 128}, kFront, call));
  CHECK(call.reason == Reason::not_captured);
}
