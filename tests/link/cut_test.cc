// Frames cut at every byte: nothing past the cut is read (the copy ends exactly
// there, so a sanitizer would notice), and lengths stay those of the wire.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "link/decoder.h"
#include "link/frames.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

const Octets kInner = counting(32);

void cut_everywhere(const Octets& whole, uint32_t link_type, size_t transport_at, Carrier expected) {
  for (size_t captured = 0; captured <= whole.size(); ++captured) {
    Decoder decoder;
    const auto exact = std::make_unique<uint8_t[]>(captured);
    std::copy_n(whole.begin(), captured, exact.get());
    Frame cut = frame(whole, link_type);
    cut.bytes = Bytes(exact.get(), captured);
    const Packet& packet = decoder.decode(cut);
    INFO("captured " << captured << " of " << whole.size());
    if (captured < transport_at) {
      CHECK(packet.carrier == Carrier::none);
      CHECK(decoder.counters().cut == 1);
    } else {
      CHECK(packet.carrier == expected);
      CHECK(packet.payload_length == kInner.size());
      CHECK(packet.payload.size() == std::min(captured - transport_at, kInner.size()));
    }
  }
}

}  // namespace

TEST_CASE("a cut frame is read as far as it goes") {
  const Octets four = ipv4(17, udp(kInner), Octets(4, 1));
  const Octets six = ipv6(60, Octets{17, 0, 1, 4, 0, 0, 0, 0} + udp(kInner));
  cut_everywhere(ethernet(four), 1, 14 + 24 + 8, Carrier::roce2);
  cut_everywhere(ethernet(before(VlanTag{.type = 0x86DD}, six), 0x8100), 1, 18 + 48 + 8, Carrier::roce2);
  cut_everywhere(ethernet(grh(kInner), 0x8915), 1, 14 + 40, Carrier::roce1);
  cut_everywhere(ethernet(ipv4(6, tcp(kInner))), 1, 14 + 20 + 20, Carrier::tcp);
  cut_everywhere(Octets(14, 0) + Octets{8, 0} + four, 113, 16 + 24 + 8, Carrier::roce2);
  cut_everywhere(Octets{8, 0} + Octets(18, 0) + four, 276, 20 + 24 + 8, Carrier::roce2);
  cut_everywhere(Octets{2, 0, 0, 0} + four, 0, 4 + 24 + 8, Carrier::roce2);
  cut_everywhere(four, 101, 24 + 8, Carrier::roce2);
  const Lrh global{.service_and_next = 3, .length_words = 2 + 10 + 8};
  const Octets infiniband = before(global, grh(kInner)) + Octets{1, 2};
  cut_everywhere(infiniband, 247, 8 + 40, Carrier::infiniband);
  const auto wire_length = static_cast<uint8_t>(infiniband.size());
  cut_everywhere(Octets(8, 0) + Octets{0x95, 0, 0, 255, 0, 0, 0, wire_length} + Octets(8, 0) + infiniband,
                 197, 16 + 8 + 48, Carrier::infiniband);
}

TEST_CASE("TCP options that were cut leave the length of the data known") {
  const Octets whole = ethernet(ipv4(6, tcp(kInner, Octets(12, 1))));
  Decoder decoder;
  const Octets cut(whole.begin(), whole.begin() + 14 + 20 + 24);
  const Packet& packet = decoder.decode(frame(cut, 1, static_cast<uint32_t>(whole.size())));
  CHECK(packet.carrier == Carrier::tcp);
  CHECK(packet.payload.empty());
  CHECK(packet.payload_length == kInner.size());
}
