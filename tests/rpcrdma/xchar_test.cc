#include "rpcrdma/xchar.h"

#include <array>
#include <catch2/catch.hpp>

#include "samples.h"

using namespace steertag;
using namespace samples;

TEST_CASE("an INITXCH announcing two fixed characteristics") {
  const std::vector<uint8_t> expected = unhex(
      "aabbccdd 00000002 00000020 00000005 | 00000000 00000001 00000024"
      "00000002 | 00000001 00000004 00002000 | 00000002 00000004 00000001 | 00000001 00000003");
  CHECK(expected.size() == 64);
  CHECK(bytes_of(initxch()) == expected);
  TransportHeader read;
  CHECK_FALSE(rpcrdma::decode(expected, 64, read).stop);
  CHECK(read == initxch());
  const xchar::Init& init = read.optional[0].init;
  CHECK(init.start[1].at == Range{44, 12});
  CHECK(read.optional[0].at == Range{16, 48});
  CHECK(init.nochg.indices() == std::vector<uint32_t>{0, 1});
}

TEST_CASE("known characteristics have a name, a default and a value") {
  CHECK(xchar::text(xchar::Id::rbsiz) == "XCHAR_RBSIZ");
  CHECK(xchar::text(xchar::Id::reqreminv) == "XCHAR_REQREMINV");
  CHECK(xchar::text(xchar::Id::brs) == "XCHAR_BRS");
  CHECK(xchar::find(xchar::Id::rbsiz)->default_value == 4096);
  CHECK(xchar::find(xchar::Id::reqreminv)->default_value == 0);
  CHECK(xchar::find(xchar::Id::brs)->default_value == 1);
  CHECK(xchar::value(xchar::make(xchar::Id::rbsiz, 8192)) == 8192u);
  CHECK(xchar::value_text(xchar::make(xchar::Id::rbsiz, 8192)) == "8192");
  CHECK(xchar::value_text(xchar::make(xchar::Id::reqreminv, 1)) == "TRUE");
  CHECK(xchar::value_text(xchar::make(xchar::Id::brs, 2)) == "BKREQSUP_GENL");
  CHECK(xchar::value_text(xchar::make(xchar::Id::brs, 9)) == "9");
}

TEST_CASE("unknown and experimental characteristics keep their data and have no value") {
  const xchar::Value unknown{static_cast<xchar::Id>(77), {1, 2, 3, 4}, {}};
  CHECK(xchar::find(unknown.which) == nullptr);
  CHECK_FALSE(xchar::value(unknown));
  CHECK(xchar::well_formed(unknown));
  CHECK_FALSE(xchar::experimental(unknown.which));
  CHECK(xchar::experimental(static_cast<xchar::Id>(0xFFFFFF00)));
  CHECK_FALSE(xchar::experimental(static_cast<xchar::Id>(0xFFFFFEFF)));
}

TEST_CASE("a known characteristic is well formed if it decodes as its type") {
  CHECK(xchar::well_formed({xchar::Id::rbsiz, {0, 0, 16, 0}, {}}));
  CHECK(xchar::well_formed({xchar::Id::rbsiz, {0, 0, 16, 0, 9, 9}, {}}));  // longer than needed
  CHECK_FALSE(xchar::well_formed({xchar::Id::rbsiz, {0, 0, 16}, {}}));
  CHECK_FALSE(xchar::well_formed({xchar::Id::rbsiz, {}, {}}));
  CHECK(xchar::well_formed(xchar::make(xchar::Id::reqreminv, 0)));
  CHECK_FALSE(xchar::well_formed(xchar::make(xchar::Id::reqreminv, 2)));
  CHECK_FALSE(xchar::well_formed(xchar::make(xchar::Id::brs, 3)));
}

TEST_CASE("short data of a known characteristic leaves the message readable") {
  TransportHeader header = optional(xchar::Operation::initxch);
  header.optional[0].init.start.push_back({xchar::Id::rbsiz, {1, 2}, {}});
  header.optional[0].init.start.push_back(xchar::make(xchar::Id::brs, 1));
  TransportHeader read;
  const std::vector<uint8_t> bytes = bytes_of(header);
  CHECK_FALSE(rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read).stop);
  CHECK(read == header);
}

TEST_CASE("a subset counts bits from the least significant of each word") {
  xchar::Subset subset;
  CHECK_FALSE(subset.has(0));
  subset.set(0);
  subset.set(33);
  CHECK(subset.words.size() == 2);
  CHECK(subset.words[0] == 1);
  CHECK(subset.words[1] == 2);
  CHECK(subset.has(33));
  CHECK_FALSE(subset.has(32));
  CHECK_FALSE(subset.has(64));  // words that are left out count as zero
  CHECK(subset.indices() == std::vector<uint32_t>{0, 33});
}

TEST_CASE("a pad that is not zero is remembered") {
  TransportHeader header = reqxch();
  std::vector<uint8_t> bytes = bytes_of(header);
  // 28 bytes before optinfo, count 4, BRS 12, id 4, length 4, data 5: three bytes of pad
  bytes[28 + 4 + 12 + 8 + 5] = 7;
  TransportHeader read;
  const rpcrdma::Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  CHECK_FALSE(decoded.stop);
  CHECK(read == header);
  REQUIRE(decoded.nonzero_pad);
  CHECK(*decoded.nonzero_pad == Range{57, 3});
}

TEST_CASE("bytes that an operation leaves in optinfo are kept") {
  TransportHeader header = updxch();
  header.optional[0].info = {1, 2, 3, 4};
  TransportHeader read;
  const std::vector<uint8_t> bytes = bytes_of(header);
  const rpcrdma::Decoded decoded = rpcrdma::decode(bytes, static_cast<uint32_t>(bytes.size()), read);
  CHECK_FALSE(decoded.stop);
  CHECK(decoded.header_length == bytes.size());
  CHECK(read == header);
}

TEST_CASE("two OPTIONAL bodies are equal where each part is") {
  using rpcrdma::xchar::Id;
  const rpcrdma::v2::Optional none;
  std::array<rpcrdma::v2::Optional, 7> others;
  others[0].direction = rpcrdma::MsgType::reply;
  others[1].opttype = xchar::Operation::updxch;
  others[2].init.nochg.set(0);
  others[3].request.want.push_back(xchar::make(Id::rbsiz, 1));
  others[4].response.done.set(0);
  others[5].update.now = xchar::make(Id::rbsiz, 1);
  others[6].info = {1};
  for (const rpcrdma::v2::Optional& other : others) {
    CHECK_FALSE(other == none);
    CHECK(other == other);
  }
}

TEST_CASE("two values are equal where both identifier and data are") {
  using rpcrdma::xchar::Id;
  const xchar::Value one = xchar::make(Id::rbsiz, 1);
  CHECK(one == xchar::make(Id::rbsiz, 1));
  CHECK_FALSE(one == xchar::make(Id::rbsiz, 2));
  CHECK_FALSE(one == xchar::make(Id::brs, 1));
}
