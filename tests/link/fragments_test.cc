#include "link/fragments.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "link/decoder.h"
#include "link/frames.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

const Octets kWhole = counting(1000);
constexpr uint16_t kMore = 0x2000;
constexpr int64_t kSecond_ns = 1'000'000'000;

Octets part(const Octets& bytes, size_t begin, size_t end) {
  return Octets(bytes.begin() + static_cast<long>(begin),
                bytes.begin() + static_cast<long>(std::min(end, bytes.size())));
}

// A datagram in pieces of `size` bytes, IPv4 or IPv6.
std::vector<Octets> pieces4(const Octets& content, size_t size, uint16_t id = 7) {
  std::vector<Octets> frames;
  for (size_t at = 0; at < content.size(); at += size) {
    const bool more = at + size < content.size();
    frames.push_back(ethernet(
        ipv4(17, part(content, at, at + size), {}, static_cast<uint16_t>((more ? kMore : 0) | at / 8), id)));
  }
  return frames;
}

std::vector<Octets> pieces6(const Octets& content, size_t size) {
  std::vector<Octets> frames;
  for (size_t at = 0; at < content.size(); at += size) {
    const auto more = static_cast<uint16_t>(at + size < content.size());
    const FragmentHeader fragment{
        .next_header = 17, .offset_and_more = static_cast<uint16_t>(at | more), .id = 9};
    // A hop-by-hop header repeats in front of every fragment.
    frames.push_back(ethernet(
        ipv6(0, Octets{44, 0, 1, 4, 0, 0, 0, 0} + before(fragment, part(content, at, at + size))), 0x86DD));
  }
  return frames;
}

// Feeds all; checks that only the last completes the datagram.
void check_reassembly(std::vector<Octets> frames, size_t header) {
  Decoder decoder;
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    CHECK(decoder.decode(frame(frames[i])).carrier == Carrier::none);
  }
  const Packet& packet = decoder.decode(frame(frames.back()));
  REQUIRE(packet.carrier == Carrier::roce2);
  CHECK(octets(packet.payload) == kWhole);
  CHECK(packet.payload_length == kWhole.size());
  CHECK(packet.network.size() == header + 8 + kWhole.size());
  CHECK(decoder.counters().fragments == frames.size());
  CHECK(decoder.counters().reassembled == 1);
  CHECK(decoder.counters().fragments_dropped == 0);
  CHECK(decoder.counters().malformed == 0);
}

}  // namespace

TEST_CASE("a datagram is reassembled in whatever order its fragments come") {
  auto four = pieces4(udp(kWhole), 256);
  auto six = pieces6(udp(kWhole), 256);
  REQUIRE(four.size() == 4);
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    const auto pick = [&](const std::vector<Octets>& from) {
      return std::vector<Octets>{from[order[0]], from[order[1]], from[order[2]], from[order[3]]};
    };
    check_reassembly(pick(four), 20);
    check_reassembly(pick(six), 48);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("the rebuilt IPv4 header is that of the datagram before it was cut up") {
  Decoder decoder;
  Octets last;
  for (const Octets& bytes : pieces4(udp(kWhole), 512)) {
    last = octets(decoder.decode(frame(bytes)).network);
  }
  CHECK(last == ipv4(17, udp(kWhole), {}, 0));
}

TEST_CASE("a later fragment alone is never taken for a transport header") {
  Decoder decoder;
  const Octets bytes = ethernet(ipv4(17, udp(kWhole), {}, 64));
  CHECK(decoder.decode(frame(bytes)).carrier == Carrier::none);
  CHECK(decoder.counters().fragments == 1);
  CHECK(decoder.counters().reassembled == 0);
}

TEST_CASE("two datagrams may be under way at the same time") {
  Decoder decoder;
  const auto a = pieces4(udp(kWhole), 512, 1);
  const auto b = pieces4(udp(counting(1000, 99)), 512, 2);
  decoder.decode(frame(a[0]));
  decoder.decode(frame(b[0]));
  CHECK(octets(decoder.decode(frame(a[1])).payload) == kWhole);
  CHECK(octets(decoder.decode(frame(b[1])).payload) == counting(1000, 99));
}

TEST_CASE("a repeated fragment does no harm") {
  Decoder decoder;
  const auto pieces = pieces4(udp(kWhole), 512);
  decoder.decode(frame(pieces[0]));
  decoder.decode(frame(pieces[0]));
  CHECK(octets(decoder.decode(frame(pieces[1])).payload) == kWhole);
  CHECK(decoder.counters().fragments_dropped == 0);
}

TEST_CASE("fragments of a datagram that was just whole are a second look at it, and no second one") {
  const auto dropped = [](int64_t later_ns) {
    Decoder decoder;
    const auto pieces = pieces4(udp(kWhole), 512);
    constexpr int64_t kToday_ns = 1'700'000'000 * kSecond_ns;
    int64_t now_ns = kToday_ns;
    const auto feed = [&](size_t piece) { decoder.decode(frame(pieces[piece], 1, 0, now_ns)); };
    feed(0);
    feed(1);
    now_ns += later_ns;
    feed(0);
    now_ns += 3600 * kSecond_ns;  // the id comes round again
    feed(0);
    feed(1);
    CHECK(decoder.counters().reassembled == 2);
    return decoder.counters().fragments_dropped;
  };
  CHECK(dropped(0) == 0);
  CHECK(dropped(2'000'000) == 0);
  CHECK(dropped(2'000'001) == 1);
}

TEST_CASE("contradicting fragments give the datagram up, with what still comes of it") {
  const auto pieces = pieces4(udp(kWhole), 512);
  Octets bad;
  SECTION("overlap") {
    bad = ethernet(ipv4(17, counting(512), {}, kMore | 1, 7));
  }
  SECTION("same place, other content") {
    bad = ethernet(ipv4(17, counting(512, 3), {}, kMore, 7));
  }
  SECTION("an end inside what is already there") {
    bad = ethernet(ipv4(17, counting(8), {}, 1, 7));
  }
  SECTION("not a multiple of eight") {
    bad = ethernet(ipv4(17, counting(9), {}, kMore | 200, 7));
  }
  SECTION("empty") {
    bad = ethernet(ipv4(17, {}, {}, kMore | 200, 7));
  }
  SECTION("empty, where it would do no harm") {
    bad = ethernet(ipv4(17, {}, {}, kMore | 64, 7));
  }
  SECTION("past the largest datagram") {
    bad = ethernet(ipv4(17, counting(64), {}, 0x1FFF, 7));
  }
  Decoder decoder;
  decoder.decode(frame(pieces[0]));
  CHECK(decoder.decode(frame(bad)).carrier == Carrier::none);
  CHECK(decoder.decode(frame(pieces[1])).carrier == Carrier::none);
  CHECK(decoder.counters().fragments_dropped == 3);
  CHECK(decoder.counters().reassembled == 0);
}

TEST_CASE("what is longer than a datagram can be is not put together") {
  Decoder decoder;
  for (const Octets& piece : pieces4(udp(counting(65536)), 8000)) {
    CHECK(decoder.decode(frame(piece)).carrier == Carrier::none);
  }
  CHECK(decoder.counters().reassembled == 0);
  const auto longest = pieces4(udp(counting(65535 - 20 - 8)), 8000, 8);
  for (const Octets& piece : longest) {
    CHECK((decoder.decode(frame(piece)).carrier == Carrier::roce2) == (&piece == &longest.back()));
  }
  CHECK(decoder.counters().reassembled == 1);
}

TEST_CASE("two different ends contradict each other") {
  Decoder decoder;
  const Octets one = ethernet(ipv4(17, counting(16), {}, 100, 7));
  const Octets two = ethernet(ipv4(17, counting(16), {}, 200, 7));
  const Octets beyond = ethernet(ipv4(17, counting(16), {}, kMore | 300, 7));
  decoder.decode(frame(one));
  SECTION("another end") {
    decoder.decode(frame(two));
  }
  SECTION("something behind the end") {
    decoder.decode(frame(beyond));
  }
  CHECK(decoder.counters().fragments_dropped == 2);
}

TEST_CASE("an id that comes round again begins a new datagram") {
  Decoder decoder;
  const auto pieces = pieces4(udp(kWhole), 512);
  const auto stale = pieces4(udp(counting(1000, 99)), 512);
  decoder.decode(frame(stale[0]));
  CHECK(decoder.decode(frame(pieces[1], 1, 0, 31 * kSecond_ns)).carrier == Carrier::none);
  CHECK(octets(decoder.decode(frame(pieces[0], 1, 0, 32 * kSecond_ns)).payload) == kWhole);
  CHECK(decoder.counters().fragments_dropped == 1);
}

TEST_CASE("a cut fragment: the length is the wire's, the bytes end at the cut") {
  Decoder decoder;
  const auto pieces = pieces4(udp(kWhole), 512);
  const Octets cut = part(pieces[0], 0, 134);
  decoder.decode(frame(cut, 1, static_cast<uint32_t>(pieces[0].size())));
  const Packet& packet = decoder.decode(frame(pieces[1]));
  CHECK(packet.carrier == Carrier::roce2);
  CHECK(packet.payload_length == kWhole.size());
  CHECK(octets(packet.payload) == part(kWhole, 0, 134 - 14 - 20 - 8));
}

TEST_CASE("memory is bounded: the oldest datagrams go first") {
  SECTION("by number") {
    Decoder decoder;
    const auto survivor = pieces4(udp(kWhole), 512, 1000);
    for (uint16_t id = 0; id < Reassembler::kMaxDatagrams; ++id) {
      const auto pieces = pieces4(udp(kWhole), 512, id);
      decoder.decode(frame(pieces[0]));
    }
    decoder.decode(frame(survivor[0]));
    CHECK(decoder.counters().fragments_dropped == 1);
    const auto first = pieces4(udp(kWhole), 512, 0);
    CHECK(decoder.decode(frame(survivor[1])).carrier == Carrier::roce2);
    CHECK(decoder.decode(frame(first[1])).carrier == Carrier::none);
  }
  SECTION("by bytes") {
    Decoder decoder;
    for (uint16_t id = 0; id < 40; ++id) {
      const Octets far = ethernet(ipv4(17, counting(8), {}, kMore | 8000, id));
      decoder.decode(frame(far));
    }
    const size_t fit = Reassembler::kMaxBytes / (8000 * 8 + 8 + Reassembler::kMaxHeader);
    CHECK(decoder.counters().fragments_dropped == 40 - fit);
  }
  SECTION("by fragments of one datagram") {
    Decoder decoder;
    for (uint16_t i = 0; i <= Reassembler::kMaxFragments; ++i) {
      const Octets piece = ethernet(ipv4(17, counting(8), {}, static_cast<uint16_t>(kMore | 2 * i), 7));
      decoder.decode(frame(piece));
    }
    CHECK(decoder.counters().fragments_dropped == Reassembler::kMaxFragments + 1);
  }
}

TEST_CASE("a fragment inside a reassembled datagram is not followed") {
  const FragmentHeader inner{.next_header = 17, .offset_and_more = 1, .id = 1};
  const Octets content = before(inner, udp(kWhole));
  Decoder decoder;
  for (size_t at = 0; at < content.size(); at += 512) {
    const FragmentHeader outer{.next_header = 44,
                               .offset_and_more = static_cast<uint16_t>(at | (at + 512 < content.size())),
                               .id = 2};
    const Octets bytes = ethernet(ipv6(44, before(outer, part(content, at, at + 512))), 0x86DD);
    CHECK(decoder.decode(frame(bytes)).carrier == Carrier::none);
  }
  CHECK(decoder.counters().malformed == 1);
}
