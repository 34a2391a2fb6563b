#include "capture/reader.h"

#include <catch2/catch.hpp>

#include "capture_bytes.h"

using namespace steertag;
using namespace capture_bytes;
using Kind = capture::Step::Kind;

TEST_CASE("every variant of the classic format gives the same frames") {
  const std::string want = "1@1.000002 [3/3] 61 62 63|2@4294967295.999999 [2/9] 64 65|end";
  for (const bool big : {false, true}) {
    for (const uint32_t magic : {0xA1B2C3D4U, 0xA1B23C4DU, 0xA1B2CD34U}) {
      Text text{big};
      const uint32_t tick = magic == 0xA1B23C4D ? 1000 : 1;
      const auto record = [&](uint32_t seconds, uint32_t micros, uint32_t captured, uint32_t length) {
        text.u32(seconds).u32(micros * tick).u32(captured).u32(length);
        if (magic == 0xA1B2CD34) {
          text.u32(7).u32(8);
        }
      };
      text.pcap_header(magic);
      record(1, 2, 3, 3);
      text.put("abc");
      record(0xFFFFFFFF, 999999, 2, 9);
      text.put("de");
      CHECK(read(text.bytes) == want);
    }
  }
}

TEST_CASE("version 2.2 of the classic format has the lengths the other way round") {
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 2).u32(1).u32(0).u32(9).u32(2).put("de").bytes) ==
        "1@1.000000 [2/9] 64 65|end");
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 3).u32(1).u32(0).u32(9).u32(2).put("de").bytes) ==
        "1@1.000000 [2/9] 64 65|end");
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 3).u32(1).u32(0).u32(2).u32(9).put("de").bytes) ==
        "1@1.000000 [2/9] 64 65|end");
}

TEST_CASE("a classic capture ends at its end, is cut, or is damaged") {
  const auto start = [] { return Text{}.pcap_header(0xA1B2C3D4); };
  CHECK(read(start().bytes) == "end");
  CHECK(read(slice(start().bytes, 0, 23)) == "cut");
  CHECK(read(start().put("12345").bytes) == "cut");
  CHECK(read(start().u32(1).u32(0).u32(3).u32(3).put("ab").bytes) == "cut");
  CHECK(read(start().u32(1).u32(0).u32(0).u32(0).bytes) == "1@1.000000 [0/0]|end");
  CHECK(read(start().u32(1).u32(0).u32(262145).u32(3).bytes) == "damaged: it claims to hold 262145 bytes");
  CHECK(read(start().u32(1).u32(0).u32(0xFFFFFFFF).u32(3).bytes) ==
        "damaged: it claims to hold 4294967295 bytes");
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 4, 0xFFFFFFFF).u32(1).u32(0).u32(17 << 20).u32(3).bytes) ==
        "damaged: it claims to hold 17825792 bytes");
}

TEST_CASE("a large snaplen lets large frames through, a small one does not keep them out") {
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 4, 1 << 20).u32(1).u32(0).u32(300000).u32(1).bytes) == "cut");
  CHECK(read(Text{}.pcap_header(0xA1B2C3D4, 4, 1).u32(1).u32(0).u32(2).u32(2).put("ab").bytes) ==
        "1@1.000000 [2/2] 61 62|end");
}

TEST_CASE("the length of an FCS is no part of the link type") {
  Text text;
  text.u32(0xA1B2C3D4).u16(2).u16(4).u32(0).u32(0).u32(65535).u32(0x44000000 | 1);
  const auto reader = capture::recognise(text.bytes);
  Frame frame;
  CHECK(reader->next(text.bytes, frame).kind == Kind::nothing);
  CHECK(reader->interfaces()[0].link_type == 1);
}

TEST_CASE("what is no capture is not recognised") {
  CHECK_FALSE(capture::recognise(Text{}.put("text").bytes));
  CHECK_FALSE(capture::recognise(Text{}.put("abc").bytes));
  CHECK_FALSE(capture::recognise({}));
  CHECK(read(Text{}.u32(0xA1B2C3D4).u16(3).u16(0).put("0123456789abcdef").bytes) ==
        "damaged: version 3 of the pcap format is not read");
}

TEST_CASE("every packet block of either byte order is read") {
  for (const bool big : {false, true}) {
    Text text{big};
    text.section().interface(1);
    text.block(6, Text{big}.u32(0).u32(0).u32(1'000'002).u32(3).u32(3).put("abc"));
    text.block(2, Text{big}.u16(0).u16(0).u32(0).u32(2'000'000).u32(2).u32(9).put("de"));
    text.block(3, Text{big}.u32(5).put("fghij"));
    CHECK(read(text.bytes) ==
          "1@1.000002 [3/3] 61 62 63|2@2.000000 [2/9] 64 65|3@2.000000 [5/5] 66 67 68 69 6a|end");
  }
}

TEST_CASE("the clock of an interface may tick as it likes") {
  struct Case {
    uint8_t resolution;
    uint64_t ticks;
    const char* want;
  };
  for (const Case& c :
       {Case{0, 7, "7.000000"}, Case{3, 7'001, "7.001000"}, Case{9, 7'000'001'000, "7.000001"},
        Case{12, 7'000'001'000'000, "7.000001"}, Case{19, UINT64_MAX, "1.844674"}, Case{0x80, 7, "7.000000"},
        Case{0x80 + 1, 15, "7.500000"}, Case{0x80 + 32, (7ULL << 32) + (1ULL << 31), "7.500000"},
        Case{0x80 + 63, UINT64_MAX, "1.999999"}, Case{0, UINT64_MAX, "9000000000.000000"}}) {
    Text text;
    text.section().interface(1, 0, Text{}.u16(9).u16(1).u32(c.resolution).bytes);
    text.packet(0, c.ticks, "a");
    CHECK(read(text.bytes) == std::string("1@") + c.want + " [1/1] 61|end");
  }
}

TEST_CASE("a resolution that 64 bits cannot count is damage") {
  for (const uint8_t resolution : {20, 0x7F, 0xC0, 0xFF}) {
    Text text;
    text.section().interface(1, 0, Text{}.u16(9).u16(1).u32(resolution).bytes);
    CHECK(read(text.bytes) == "damaged: an interface with an unknown unit of time");
  }
}

TEST_CASE("an interface's offset is added to its times, and they stay in bounds") {
  const auto with_offset = [](uint32_t low, uint32_t high) {
    Text text;
    text.section().interface(1, 0, Text{}.u16(14).u16(8).u32(low).u32(high).bytes);
    return read(text.packet(0, 5'000'000, "a").bytes);
  };
  CHECK(with_offset(100, 0) == "1@105.000000 [1/1] 61|end");
  CHECK(with_offset(0xFFFFFFFD, 0xFFFFFFFF) == "1@2.000000 [1/1] 61|end");
  CHECK(with_offset(0, 0x80000000) == "1@0.000000 [1/1] 61|end");
  CHECK(with_offset(0xFFFFFFFF, 0x7FFFFFFF) == "1@9000000000.000000 [1/1] 61|end");
}

TEST_CASE("interfaces of one file differ, and each is a tap of its own, also across sections") {
  Text text;
  text.section().interface(1).interface(113, 96);
  text.packet(1, 1, "a").packet(0, 2, "b");
  text.section().interface(101).packet(0, 3, "c");
  const auto reader = capture::recognise(text.bytes);
  Bytes unread = text.bytes;
  std::string seen;
  Frame frame;
  while (!unread.empty()) {
    const capture::Step step = reader->next(unread, frame);
    REQUIRE((step.kind == Kind::frame || step.kind == Kind::nothing));
    unread = slice(unread, step.used);
    if (step.kind == Kind::frame) {
      seen += fmt::format("{}:{}:{} ", frame.at.number, frame.at.tap, frame.link_type);
    }
  }
  CHECK(seen == "1:1:113 2:0:1 3:2:101 ");
}

TEST_CASE("a simple packet is as long as its interface keeps") {
  CHECK(read(Text{}.section().interface(1, 2).block(3, Text{}.u32(9).put("ab")).bytes) ==
        "1@0.000000 [2/9] 61 62|end");
  CHECK(read(Text{}.section().interface(1, 0).block(3, Text{}.u32(9).put("abcd")).bytes) ==
        "1@0.000000 [4/9] 61 62 63 64|end");
}

TEST_CASE("blocks of other kinds are passed over, some take a number, as in Wireshark") {
  Text text;
  text.section().block(0x80000001, Text{}.put("abcd")).interface(1);
  text.block(4, Text{}).block(5, Text{}.put("12345678")).block(10, Text{}.put("key"));
  text.packet(0, 1, "a");
  for (const uint32_t kind : {9U, 0xBADU, 0x40000BADU, 0x204U}) {
    text.block(kind, Text{}.put("abcdefgh"));
  }
  text.packet(0, 2, "b");
  CHECK(read(text.bytes) == "1@0.000001 [1/1] 61|6@0.000002 [1/1] 62|end");
}

TEST_CASE("a huge block of another kind is not waited for") {
  Text text;
  text.section().interface(1).u32(0x1234).u32(0xFFFFFFFC).u32(0);
  const auto reader = capture::recognise(text.bytes);
  Bytes unread = text.bytes;
  Frame frame;
  while (!unread.empty()) {
    const capture::Step step = reader->next(unread, frame);
    REQUIRE(step.kind == Kind::nothing);
    unread = slice(unread, step.used);
  }
  CHECK_FALSE(reader->at_boundary());
  CHECK(reader->next({}, frame).needed == 1);
}

TEST_CASE("a pcapng is cut, or is damaged") {
  const auto start = [] { return Text{}.section().interface(1); };
  CHECK(read(start().bytes) == "end");
  CHECK(read(Text{}.section().bytes) == "end");
  CHECK(read(slice(start().bytes, 0, 27)) == "cut");
  CHECK(read(slice(start().packet(0, 1, "a").bytes, 0, 28 + 20 + 35)) == "cut");
  CHECK(read(start().put("1234").bytes) == "cut");
  CHECK(read(start().u32(6).u32(0).u32(0).bytes) == "damaged: a block that claims to have 0 bytes");
  CHECK(read(start().u32(0x1234).u32(0).u32(0).bytes) == "damaged: a block that claims to have 0 bytes");
  CHECK(read(start().u32(6).u32(33).u32(0).bytes) == "damaged: a block that claims to have 33 bytes");
  CHECK(read(start().u32(6).u32(0xFFFFFFFC).u32(0).bytes) ==
        "damaged: a block that claims to have 4294967292 bytes");
  CHECK(read(start().u32(6).u32(16).u32(0).u32(20).bytes) ==
        "damaged: a block whose two lengths differ: 16 and 20");
  CHECK(read(start().block(6, Text{}.u32(0)).bytes) == "damaged: a packet block that is too short");
  CHECK(read(start().block(2, Text{}.u32(0)).bytes) == "damaged: a packet block that is too short");
  CHECK(read(start().block(3, Text{}).bytes) == "damaged: a packet block that is too short");
  CHECK(read(start().packet(1, 1, "a").bytes) == "damaged: it names interface 1, which was not described");
  CHECK(read(Text{}.section().packet(0, 1, "a").bytes) ==
        "damaged: it names interface 0, which was not described");
  CHECK(read(Text{}.section().block(3, Text{}.u32(1).put("a")).bytes) ==
        "damaged: no interface was described");
  CHECK(read(start().block(6, Text{}.u32(0).u32(0).u32(0).u32(5).u32(5).put("abcd")).bytes) ==
        "damaged: it claims to hold 5 bytes");
  CHECK(read(Text{}.section().block(1, Text{}.u32(1)).bytes) ==
        "damaged: an interface description that is too short");
  CHECK(read(Text{}.u32(0x0A0D0D0A).u32(28).u32(0x12345678).bytes) ==
        "damaged: a section with an unknown byte order");
  CHECK(read(Text{}.u32(0x0A0D0D0A).u32(24).u32(0x1A2B3C4D).put("0123456789abcdef").bytes) ==
        "damaged: a section header that claims to have 24 bytes");
  CHECK(read(Text{}.u32(0x0A0D0D0A).u32(28).u32(0x1A2B3C4D).u16(2).put("0123456789abcd").bytes) ==
        "damaged: version 2 of the pcapng format is not read");
}

TEST_CASE("options that run past their block are not read") {
  CHECK(read(Text{}.section().interface(1, 0, Text{}.u16(9).u16(400).u32(3).bytes).packet(0, 1, "a").bytes) ==
        "1@0.000001 [1/1] 61|end");
}
