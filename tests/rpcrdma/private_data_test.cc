#include "rpcrdma/private_data.h"

#include <catch2/catch.hpp>

#include "samples.h"

using namespace steertag;
using namespace rpcrdma;
using samples::unhex;

TEST_CASE("private data is found at any offset") {
  const std::vector<uint8_t> block = unhex("f6ab0e18 01 01 03 0f");
  for (size_t offset = 0; offset < 64; ++offset) {
    std::vector<uint8_t> bytes(offset, 0xf6);
    bytes.insert(bytes.end(), block.begin(), block.end());
    bytes.resize(bytes.size() + offset % 5);
    const PrivateData found = find_private_data(bytes);
    REQUIRE(found.present);
    REQUIRE(found.usable());
    REQUIRE(found.offset == offset);
    REQUIRE(found.remote_invalidation);
    REQUIRE(found.send_size == 4096);
    REQUIRE(found.receive_size == 16384);
    REQUIRE(found.reserved_flags == 0);
  }
}

TEST_CASE("sizes run from 1 KiB to 256 KiB") {
  const PrivateData found = find_private_data(unhex("f6ab0e18 01 00 00 ff"));
  CHECK_FALSE(found.remote_invalidation);
  CHECK(found.send_size == 1024);
  CHECK(found.receive_size == 262144);
}

TEST_CASE("reserved flag bits are kept and change nothing") {
  const PrivateData found = find_private_data(unhex("f6ab0e18 01 81 00 00"));
  CHECK(found.remote_invalidation);
  CHECK(found.reserved_flags == 0x80);
}

TEST_CASE("another version is present and says nothing") {
  const PrivateData found = find_private_data(unhex("f6ab0e18 02 01 ff ff"));
  CHECK(found.present);
  CHECK_FALSE(found.usable());
  CHECK(found.version == 2);
  CHECK_FALSE(found.remote_invalidation);
  CHECK(found.send_size == default_inline_threshold);
  CHECK(found.receive_size == default_inline_threshold);
}

TEST_CASE("private data that is cut is not taken for private data") {
  const std::vector<uint8_t> block = unhex("00000000 f6ab0e18 01 01 03 0f");
  for (size_t length = 0; length < block.size(); ++length) {
    const PrivateData found = find_private_data(Bytes(block).first(length));
    CHECK_FALSE(found.present);
    CHECK(found.cut == (length >= 8));
    CHECK(found.send_size == default_inline_threshold);
  }
  CHECK(find_private_data({}) == PrivateData{});
}

TEST_CASE("of several blocks the first of version one counts") {
  CHECK(find_private_data(unhex("f6ab0e18 07 00 00 00 f6ab0e18 01 01 01 01")).send_size == 2048);
  CHECK(find_private_data(unhex("f6ab0e18 01 00 02 00 f6ab0e18 01 01 01 01")).send_size == 3072);
  CHECK(find_private_data(unhex("f6ab0e18 07 00 00 00 f6ab0e18 08")).version == 7);
}

TEST_CASE("private data that was written is found again") {
  PrivateData data;
  data.present = true;
  data.version = 1;
  data.remote_invalidation = true;
  data.send_size = 4096;
  data.receive_size = 262144;
  std::vector<uint8_t> bytes;
  encode(data, bytes);
  CHECK(bytes == unhex("f6ab0e18 01 01 03 ff"));
  CHECK(find_private_data(bytes) == data);
}
