// Frames of every link type, through the link layers and tunnels. The short ways of plain and
// of predicted frames give the same packets as the way layer by layer. Layout of the
// input: 1 byte link type (index), then frames of 2 bytes captured length, 1 byte cut off
// by the snaplen, and the captured bytes.
#include <array>

#include "input.h"
#include "link/decoder.h"
#include "targets.h"

namespace steertag::fuzz {
namespace {

constexpr std::array<uint32_t, 12> kLinkTypes = {1, 113, 276, 101, 228, 229, 12, 14, 0, 108, 247, 197};

bool same(Bytes x, Bytes y) {
  return x.size() == y.size() && (x.empty() || x.data() == y.data());
}

bool same(const link::Packet& x, const link::Packet& y, bool assembled) {
  return x.carrier == y.carrier && x.source == y.source && x.destination == y.destination &&
         x.payload_length == y.payload_length && x.tcp.source_port == y.tcp.source_port &&
         x.tcp.destination_port == y.tcp.destination_port && x.tcp.sequence == y.tcp.sequence &&
         x.tcp.acknowledgment == y.tcp.acknowledgment && x.tcp.syn == y.tcp.syn && x.tcp.ack == y.tcp.ack &&
         x.udp_source_port == y.udp_source_port && x.routed.hops == y.routed.hops && x.way == y.way &&
         (assembled || (same(x.payload, y.payload) && same(x.network, y.network)));
}

}  // namespace

void run_link(Bytes bytes) {
  Input input(bytes);
  Frame frame;
  frame.link_type = kLinkTypes[input.one_of(kLinkTypes.size())];
  link::Decoder either, by_layers;
  link::Packet short_way, long_way;
  while (!input.empty()) {
    const auto length = static_cast<size_t>(input.number(2));
    const auto cut = static_cast<uint32_t>(input.number(1));
    frame.at.number += 1;
    frame.at.time_ns += 1'000'000;
    frame.bytes = input.take(length);
    frame.original_length = static_cast<uint32_t>(frame.bytes.size()) + cut;
    either.decode(frame, short_way);
    by_layers.decode_by_layers(frame, long_way);
    require(short_way.payload.size() <= short_way.payload_length || short_way.carrier == link::Carrier::none,
            "what was captured is a prefix of the payload");
    require(either.assembled() == by_layers.assembled(), "fragments are put together either way");
    require(same(short_way, long_way, either.assembled()), "every way gives the same packet");
  }
  require(either.counters().frames == frame.at.number, "every frame is counted");
}

}  // namespace steertag::fuzz
