#include "rdma/iwarp/mpa.h"

#include "rdma/iwarp/wire.h"

using namespace steertag;
using namespace steertag::rdma::iwarp;
using test::Buffer;

TEST_CASE("the two FPDUs of RFC 5044 section 4.4") {
  {
    Markers markers{true, 0};
    uint64_t position = 0;
    Buffer ulpdu;
    UntaggedHeader header;
    header.control = {0x41, 0x43};
    wire::write(ulpdu, header);
    ulpdu.resize(42);
    Buffer out;
    encode_fpdu(out, ulpdu, true, markers, position);
    const Buffer first{0, 0, 0, 0, 0, 0x2a, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    REQUIRE(out.size() == 52);
    CHECK(position == 52);
    CHECK(std::equal(first.begin(), first.end(), out.begin()));
    CHECK(Buffer(out.end() - 4, out.end()) == Buffer{0x52, 0x23, 0x99, 0x83});
    CHECK(fpdu_size(42, 0, markers) == 52);

    // The second is placed so that a marker stands 20 bytes behind its start.
    out.clear();
    ulpdu[13] = 2;
    position = 512 - 20;
    encode_fpdu(out, ulpdu, true, markers, position);
    REQUIRE(out.size() == 52);
    CHECK(Buffer(out.begin() + 20, out.begin() + 24) == Buffer{0, 0, 0, 0x14});
    CHECK(Buffer(out.end() - 4, out.end()) == Buffer{0x84, 0x92, 0x58, 0x98});
    CHECK(crc_matches(out));
    out[30] ^= 1;
    CHECK_FALSE(crc_matches(out));
  }
}

TEST_CASE("size, encoding and stripping of markers agree at every place") {
  for (uint64_t origin : {0u, 40u}) {
    for (uint64_t start = origin; start < origin + 1024; start += 4) {
      for (size_t length : {14u, 15u, 46u, 480u, 502u, 1000u, 3000u}) {
        const Markers markers{true, origin};
        Buffer out;
        uint64_t position = start;
        const Buffer ulpdu = test::pattern(length, 3);
        encode_fpdu(out, ulpdu, true, markers, position);
        REQUIRE(position == start + out.size());
        REQUIRE(fpdu_size(static_cast<uint16_t>(length), start, markers) == out.size());
        Buffer plain;
        strip_markers(out, start, markers, plain);
        REQUIRE(plain.size() == fpdu_size(static_cast<uint16_t>(length), start, {}));
        REQUIRE(std::equal(ulpdu.begin(), ulpdu.end(), plain.begin() + 2));
      }
    }
  }
}

TEST_CASE("the largest FPDU") {
  CHECK(fpdu_size(65535, 0, {}) == 65544);
  for (uint64_t start = 0; start < 512; start += 4) {
    CHECK(fpdu_size(65535, start, {true, 0}) <= kMaxFpdu);
  }
}

TEST_CASE("an enhanced word read and written") {
  const Buffer bytes{0xC0, 0x80, 0x80, 0x01};
  EnhancedWord word;
  REQUIRE_FALSE(wire::read(bytes, word));
  CHECK(word.peer_to_peer());
  CHECK(word.rtr_send());
  CHECK(word.ird() == 128);
  CHECK(word.rtr_write());
  CHECK_FALSE(word.rtr_read());
  CHECK(word.ord() == 1);
  Buffer again;
  wire::write(again, word);
  CHECK(again == bytes);
}
