#include <catch2/catch.hpp>

#include "capture/pcapng_writer.h"
#include "capture_bytes.h"

using namespace steertag;
using namespace capture_bytes;

namespace {

constexpr uint16_t kComment = 1, kPacketDropped = 4, kInterfaceDropped = 5;

// An option whose value is a number of so many bytes, which may claim to be longer.
std::vector<uint8_t> option(bool big, uint16_t code, uint64_t value, int width = 8, int claimed = -1) {
  Text text{big};
  text.u16(code).u16(static_cast<uint64_t>(claimed < 0 ? width : claimed)).number(value, width);
  text.bytes.resize((text.bytes.size() + 3) / 4 * 4);
  return text.bytes;
}

std::vector<uint8_t> both(std::vector<uint8_t> first, const std::vector<uint8_t>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Text start(bool big) {
  return Text{big}.section().interface(1);
}

}  // namespace

TEST_CASE("a packet says how many were lost before it") {
  for (const bool big : {false, true}) {
    CHECK(read(start(big)
                   .packet(0, 1, "a")
                   .packet(0, 2, "b", option(big, kPacketDropped, 3))
                   .packet(0, 3, "cdef", both(option(big, kComment, 'x', 1), option(big, kPacketDropped, 4)))
                   .bytes) ==
          "1@0.000001 [1/1] 61|2@0.000002 [1/1] 62 -3|3@0.000003 [4/4] 63 64 65 66 -4|end");
    CHECK(read(start(big).packet(0, 1, "a", option(big, kPacketDropped, UINT64_MAX)).bytes) ==
          "1@0.000001 [1/1] 61 -4294967295|end");
  }
}

TEST_CASE("what claims to say how many were lost, and is no such number, says nothing") {
  for (const bool big : {false, true}) {
    const auto said = [&](const std::vector<uint8_t>& options) {
      return read(start(big).packet(0, 1, "a", options).bytes);
    };
    const std::string nothing = "1@0.000001 [1/1] 61|end";
    CHECK(said(option(big, kPacketDropped, 0)) == nothing);
    CHECK(said(option(big, kPacketDropped, 3, 4)) == nothing);
    CHECK(said(option(big, kPacketDropped, 3, 8, 12)) == nothing);  // longer than what is there
    CHECK(said(option(big, kPacketDropped, 3, 8, UINT16_MAX)) == nothing);
    CHECK(said(option(big, kPacketDropped, 3, 8, 7)) == nothing);
    CHECK(said({4, 0}) == nothing);
    CHECK(said(both(option(big, 0, 0, 0), option(big, kPacketDropped, 3))) == nothing);  // behind the end
    CHECK(said(both(option(big, kComment, 'x', 1, 9), option(big, kPacketDropped, 3))) == nothing);
  }
}

TEST_CASE("the old packet block says how many were lost, unless that is not known") {
  for (const bool big : {false, true}) {
    const auto old = [&](uint32_t drops) {
      return Text{big}.u16(0).u16(drops).u32(0).u32(1).u32(1).u32(1).put("a");
    };
    CHECK(read(start(big).block(2, old(7)).block(2, old(0xFFFF)).block(2, old(0)).bytes) ==
          "1@0.000001 [1/1] 61 -7|2@0.000001 [1/1] 61|3@0.000001 [1/1] 61|end");
  }
}

TEST_CASE(
    "what an interface has lost in all, and no packet has said, was lost before the next or at the end") {
  for (const bool big : {false, true}) {
    const auto lost = [&](uint64_t frames) { return option(big, kInterfaceDropped, frames); };
    CHECK(read(start(big)
                   .packet(0, 1, "a", option(big, kPacketDropped, 3))
                   .statistics(0, lost(5))
                   .packet(0, 2, "b")
                   .statistics(0, lost(5))
                   .packet(0, 3, "c")
                   .statistics(0, both(option(big, 4, 1000), lost(12)))
                   .bytes) == "1@0.000001 [1/1] 61 -3|2@0.000002 [1/1] 62 -2|3@0.000003 [1/1] 63|-7|end");
    // Of each interface apart; of one that is not described, and with less than was said, nothing.
    CHECK(read(start(big).interface(1).statistics(1, lost(2)).statistics(0, lost(1)).bytes) == "-3|end");
    CHECK(read(start(big).statistics(1, lost(2)).bytes) == "end");
    CHECK(read(start(big).packet(0, 1, "a", option(big, kPacketDropped, 3)).statistics(0, lost(2)).bytes) ==
          "1@0.000001 [1/1] 61 -3|end");
    CHECK(read(start(big).statistics(0, lost(UINT64_MAX)).statistics(0, lost(1)).bytes) == "-4294967295|end");
    // A section begins anew.
    CHECK(read(start(big).statistics(0, lost(2)).section().interface(1).statistics(0, lost(2)).bytes) ==
          "-4|end");
  }
}

TEST_CASE("statistics say until when no frame had come, by the clock of their interface") {
  for (const bool big : {false, true}) {
    const auto quiet = [](const std::vector<uint8_t>& bytes) {
      const auto reader = capture::recognise(bytes);
      Frame frame;
      for (size_t at = 0; at < bytes.size();) {
        at += reader->next(Bytes(bytes).subspan(at), frame).used;
      }
      return reader->quiet_until_ns();
    };
    CHECK(quiet(start(big).packet(0, 1, "a").bytes) == 0);
    CHECK(quiet(start(big).block(5, Text{big}.u32(0).u32(1).u32(5)).bytes) == (int64_t{1} << 32 | 5) * 1000);
    CHECK(quiet(start(big).block(5, Text{big}.u32(1).u32(1).u32(5)).bytes) == 0);
  }
}

TEST_CASE("statistics that are short, long or of no known form are passed over") {
  for (const bool big : {false, true}) {
    CHECK(read(start(big).block(5, Text{big}.u32(0)).packet(0, 1, "a").bytes) == "1@0.000001 [1/1] 61|end");
    CHECK(read(start(big).block(5, Text{big}).packet(0, 1, "a").bytes) == "1@0.000001 [1/1] 61|end");
    Text large{big};
    large.u32(0).u32(0).u32(0).bytes.resize(100'000);
    CHECK(read(start(big).block(5, large).packet(0, 1, "a").bytes) == "1@0.000001 [1/1] 61|end");
  }
}

TEST_CASE("what the writer says of lost frames is what is read") {
  for (const bool big : {false, true}) {
    std::vector<uint8_t> bytes;
    capture::PcapngWriter writer(bytes, {.big = big});
    const std::string text = "x";
    writer.put_section({});
    writer.put_interface(1, 0, {});
    writer.put_packet({.ticks = 1000,
                       .bytes = Bytes(reinterpret_cast<const uint8_t*>("abc"), 3),
                       .original_length = 3,
                       .dropped = 4},
                      {});
    writer.put_packet({.ticks = 2000,
                       .bytes = Bytes(reinterpret_cast<const uint8_t*>("d"), 1),
                       .original_length = 9,
                       .dropped = 5},
                      capture::comment_options({&text, 1}));
    writer.put_statistics(0, 3000, 20, 10);
    CHECK(read(bytes) == "1@0.000001 [3/3] 61 62 63 -4|2@0.000002 [1/9] 64 -5|-1|end");
  }
}
