// What findings of one behaviour have in common, and what tells them apart.
#include "rules/fingerprint.h"

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "rules/made.h"
#include "track/connection_number.h"

namespace steertag::rules {
namespace {

Finding finding(const std::string& text) {
  Finding made;
  made.rule = &rule("CHK-12");
  made.blame = Blame::responder;
  made.version = 1;
  made.op = "READ";
  made.text = text;
  return made;
}

uint64_t of(const std::string& text) {
  return fingerprint(finding(text));
}

TEST_CASE("a shape has no values") {
  CHECK(
      shape(
          "Write chunk 1 returns 104 bytes, but the result in it has 102; XDR roundup must not be written") ==
      "Write chunk N returns N bytes, but the result in it has N; XDR roundup must not be written");
  CHECK(shape("handle 0x00008f04 at 0x7d90c7350dc0a000 has 64K of 1.5M") == "handle N at N has N of N");
  CHECK(shape("10.9.0.2 sent 12 packets again within 2.466 s") == "N sent N packets again within N");
  // The number of a connection is not known yet where shares of a capture are followed apart.
  const auto on = [](track::ConnectionNumber number) {
    return shape(fmt::format("advertises it on connection {}, or #{}.", number, number));
  };
  CHECK(on(2) == "advertises it on connection N, or #N.");
  CHECK(on(track::ConnectionNumber::provisional(2)) == on(2));
  CHECK(shape("fd09::2 and fe80::1:2 differ") == "N differ");
  CHECK(shape("lid:7, port 20049") == "lid:N, port N");
  CHECK(shape("half of it, 50 %, and 7% of that") == "half of it, N, and N of that");
}

TEST_CASE("a shape keeps the names that have digits in them") {
  constexpr std::string_view kNames =
      "NFSv3 READ answered with NFS3ERR_NOENT, RDMA2_ERR_BAD_XDR, CRC32c of x1";
  CHECK(shape(kNames) == kNames);
}

TEST_CASE("how many values a list has is no part of a shape") {
  CHECK(shape("handles 0x1, 0x2 and 0x3 are live") == "handles N are live");
  CHECK(shape("handles 0x1 are live") == "handles N are live");
  CHECK(shape("one of 1 or 2") == "one of N");
  CHECK(shape("N, NFS and N") == "N, NFS and N");  // only whole words are values
}

TEST_CASE("how many a finding stands for is no part of its shape") {
  CHECK(shape("Write chunk 1, of 4096 bytes, was not used; and 2 more like it") ==
        "Write chunk N, of N bytes, was not used");
}

TEST_CASE("one and several are one fault") {
  CHECK(of("Write chunk 1 returns 1 byte") == of("Write chunk 2 returns 104 bytes"));
  CHECK(of("1 segment is unused") == of("2 segments are unused"));
}

TEST_CASE("what makes another fault makes another fingerprint") {
  const Finding one = finding("Write chunk 1 returns 2 bytes");
  const uint64_t print = fingerprint(one);
  CHECK(print != 0);
  CHECK(of("Reply chunk returns 2 bytes") != print);
  Finding other = one;
  other.rule = &rule("CHK-11");
  CHECK(fingerprint(other) != print);
  other = one;
  other.blame = Blame::requester;
  CHECK(fingerprint(other) != print);
  other = one;
  other.blame = Blame::undecided;
  CHECK(fingerprint(other) != print);
  other = one;
  other.version = 2;
  CHECK(fingerprint(other) != print);
  other = one;
  other.op = "READLINK";
  CHECK(fingerprint(other) != print);
}

TEST_CASE("a habit is the same whichever operation shows it first") {
  Finding one = finding("Reply invalidates handle 0x1");
  one.rule = &rule("INV-07");
  Finding other = one;
  other.op = "WRITE";
  CHECK(fingerprint(other) == fingerprint(one));
  other.version = 2;
  CHECK(fingerprint(other) != fingerprint(one));
}

TEST_CASE("what is another in every capture is no part of a fingerprint") {
  const Finding one = finding("Write chunk 1 returns 2 bytes");
  Finding other = one;
  other.at.number = 7;
  other.at.time_ns = 12;
  other.xid = 3;
  other.handle = 4;
  other.related = {other.at};
  other.certainty = Certainty::possible;
  other.severity = Severity::note;
  other.count = 9;
  CHECK(fingerprint(other) == fingerprint(one));
}

TEST_CASE("fingerprints are those of every build and machine") {
  CHECK(
      of("Write chunk 1 returns 104 bytes, but the result in it has 102; XDR roundup must not be written") ==
      0x4d400a67a14a597b);
}

}  // namespace
}  // namespace steertag::rules
