// Frames that are read by what an earlier one of their flow was: which have the number of
// a flow, and which do not. That the Packets are right is tested with plain.h.
#include "link/prediction.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "link/decoder.h"
#include "link/frames.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

// RoCEv2 and TCP, of both versions of IP, with a VLAN tag and without.
std::vector<Octets> plain_frames() {
  std::vector<Octets> frames;
  for (const auto& [protocol, transport] :
       {std::pair<uint8_t, Octets>{17, udp(counting(64))}, {6, tcp(counting(64))}}) {
    for (const Octets& tag : {Octets{}, Octets{0x81, 0, 0x20, 7}}) {
      for (const bool six : {false, true}) {
        Octets bytes =
            six ? ethernet(ipv6(protocol, transport), 0x86DD) : ethernet(ipv4(protocol, transport));
        bytes.insert(bytes.begin() + 12, tag.begin(), tag.end());
        frames.push_back(bytes);
      }
    }
  }
  return frames;
}

uint64_t flow_of(Decoder& decoder, const Octets& bytes) {
  return decoder.decode(frame(bytes)).flow;
}

}  // namespace

TEST_CASE("prediction: each flow has a number of its own, and every frame of it has that") {
  Decoder decoder;
  uint64_t flows = 0;
  for (const Octets& bytes : plain_frames()) {
    CHECK(flow_of(decoder, bytes) == ++flows);
    CHECK(flow_of(decoder, bytes) == flows);
  }
}

TEST_CASE("prediction: whatever byte changes, both frames are what they would be on their own") {
  for (const Octets& bytes : plain_frames()) {
    const size_t headers = bytes.size() - 64;
    for (size_t at = 0; at < headers; ++at) {
      for (const unsigned bit : {0u, 3u, 7u}) {
        Octets other = bytes;
        other[at] ^= static_cast<uint8_t>(1u << bit);
        Decoder predicting, fresh;
        Packet first, second, expected;
        predicting.decode(frame(bytes), first);
        predicting.decode(frame(other), second);
        fresh.decode_by_layers(frame(other), expected);
        INFO("byte " << at << ", bit " << bit);
        REQUIRE(second.carrier == expected.carrier);
        REQUIRE((second.source == expected.source && second.destination == expected.destination));
        REQUIRE(second.way == expected.way);
        REQUIRE(second.station == expected.station);
        REQUIRE(second.routed.hops == expected.routed.hops);
        REQUIRE(second.routed.traffic_class == expected.routed.traffic_class);
        REQUIRE(second.routed.id == expected.routed.id);
        REQUIRE(second.payload_length == expected.payload_length);
        if (second.flow == first.flow) {
          REQUIRE((second.source == first.source && second.destination == first.destination));
          REQUIRE((second.way == first.way && second.routed.hops == first.routed.hops));
          REQUIRE(second.tcp.source_port == first.tcp.source_port);
          REQUIRE(second.tcp.destination_port == first.tcp.destination_port);
        }
      }
    }
  }
}

TEST_CASE("prediction: what differs in every packet does not make another flow, what routers tell does") {
  const Octets bytes = ethernet(ipv4(17, udp(counting(64))));
  constexpr size_t kNetwork = 14, kUdp = kNetwork + 20;
  const auto same_flow = [&](size_t at) {
    Decoder decoder;
    Octets other = bytes;
    other[at] ^= 1;
    return flow_of(decoder, bytes) == flow_of(decoder, other);
  };
  CHECK(same_flow(kNetwork + 5));         // identification
  CHECK(same_flow(kNetwork + 10));        // checksum
  CHECK(same_flow(kUdp + 1));             // source port
  CHECK(same_flow(kUdp + 8 + 11));        // PSN
  CHECK_FALSE(same_flow(5));              // MAC address
  CHECK_FALSE(same_flow(kNetwork + 1));   // ECN
  CHECK_FALSE(same_flow(kNetwork + 8));   // TTL
  CHECK_FALSE(same_flow(kNetwork + 15));  // source
}

TEST_CASE("prediction: a number is not given twice, however many flows take each other's place") {
  Decoder decoder;
  Octets bytes = ethernet(ipv4(17, udp(counting(64))));
  uint64_t latest = 0;
  for (int round = 0; round < 2; ++round) {
    for (size_t host = 0; host < 4 * Prediction::kFlows; ++host) {
      bytes[14 + 14] = static_cast<uint8_t>(host / 256);
      bytes[14 + 15] = static_cast<uint8_t>(host);
      const uint64_t flow = flow_of(decoder, bytes);
      CHECK((flow > latest || round == 1));
      latest = std::max(flow, latest);
      CHECK(flow_of(decoder, bytes) == flow);
    }
  }
}
