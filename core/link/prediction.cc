#include "link/prediction.h"

#include <algorithm>
#include <utility>

#include "base/fold.h"
#include "link/headers.h"
#include "wire/reader.h"

namespace steertag::link {
namespace {

constexpr size_t kPorts = 4;  // bytes, in front of a UDP and of a TCP header
// What is compared, by the version of IP, bytes; frames are no shorter where they are predicted.
constexpr size_t kComparedIpv4 = 48, kComparedIpv6 = 64;
static_assert(kComparedIpv4 >= EthernetHeader::size + VlanTag::size + Ipv4Header::size + kPorts);
static_assert(kComparedIpv6 >= EthernetHeader::size + VlanTag::size + Ipv6Header::size + kPorts);

// Offsets in an IPv4 and in an IPv6 header.
constexpr size_t kIpv4Length = 2, kIpv4Id = 4, kIpv4Protocol = 9, kIpv4Checksum = 10, kIpv4Addresses = 12;
constexpr size_t kIpv6Length = 4, kIpv6Protocol = 6, kIpv6Source = 8, kIpv6Destination = 24;

bool is_ipv4(const uint8_t* network) {
  return network[0] == 0x45;
}

// Whether a frame has these first bytes, under a mask. Without a loop: every frame passes here.
template <size_t... kWords>
bool agree(const uint8_t* frame, const uint64_t* bytes, const uint64_t* mask,
           std::index_sequence<kWords...>) {
  return ((((base::word({frame + kWords * 8, 8}) ^ bytes[kWords]) & mask[kWords]) | ...)) == 0;
}
template <size_t kBytes>
bool agree(const uint8_t* frame, const uint64_t* bytes, const uint64_t* mask) {
  return agree(frame, bytes, mask, std::make_index_sequence<kBytes / 8>());
}

}  // namespace

// Precondition: kComparedIpv4 bytes. Frames of one flow have the same place, whatever they are.
size_t Prediction::place_of(Bytes frame) {
  const uint8_t* network = frame.data() + EthernetHeader::size;
  if (wire::big_endian<uint16_t>(network - 2) == ether_type::kVlan) {
    network += VlanTag::size;
  }
  uint64_t mixed = 0;
  if (is_ipv4(network)) {
    const uint32_t ports = network[kIpv4Protocol] == ip_protocol::kTcp
                               ? wire::big_endian<uint32_t>(network + Ipv4Header::size)
                               : 0;
    mixed = base::fold(base::word({network + kIpv4Addresses, 8}) ^ base::kSalt[0], ports ^ base::kSalt[1]);
  } else if (frame.size() >= kComparedIpv6) {
    const uint32_t ports = network[kIpv6Protocol] == ip_protocol::kTcp
                               ? wire::big_endian<uint32_t>(network + Ipv6Header::size)
                               : 0;
    mixed = base::fold(base::word({network + kIpv6Source + 8, 8}) ^ base::kSalt[0],
                       base::word({network + kIpv6Destination + 8, 8}) ^ base::kSalt[1] ^ ports);
  }
  return mixed % kFlows;
}

bool Prediction::read(const Frame& frame, Packet& into) {
  if (frame.link_type != kLinkEthernet || frame.bytes.size() < kComparedIpv4 || known_.empty()) {
    return false;
  }
  const uint8_t* const bytes = frame.bytes.data();
  const Known& known = known_[place_of(frame.bytes)];
  if (known.flow == 0) {
    return false;
  }
  const uint8_t* const network = bytes + known.network_at;
  PlainDatagram datagram;
  if (known.source.kind == base::Address::Kind::ipv4) {
    if (!agree<kComparedIpv4>(bytes, known.bytes.data(), known.mask.data())) {
      return false;
    }
    datagram = {network[kIpv4Protocol], Ipv4Header::size, wire::big_endian<uint16_t>(network + kIpv4Length)};
    into.routed = {known.routed.hops, known.routed.traffic_class,
                   wire::big_endian<uint16_t>(network + kIpv4Id)};
  } else {
    if (frame.bytes.size() < kComparedIpv6 ||
        !agree<kComparedIpv6>(bytes, known.bytes.data(), known.mask.data())) {
      return false;
    }
    const auto length = wire::big_endian<uint16_t>(network + kIpv6Length);
    datagram = {network[kIpv6Protocol], Ipv6Header::size, length == 0 ? 0 : Ipv6Header::size + length};
    into.routed = known.routed;
  }
  if (datagram.total < datagram.header) {
    return false;
  }
  into.source = known.source;
  into.destination = known.destination;
  into.station = known.station;
  into.way = known.way;
  into.priority = known.priority;
  into.flow = known.flow;
  into.network = slice(frame.bytes, known.network_at, datagram.total);
  return read_plain_transport(datagram, into);
}

void Prediction::learn(const Frame& frame, Packet& packet) {
  const bool ipv4 = packet.source.kind == base::Address::Kind::ipv4;
  const size_t compared = ipv4 ? kComparedIpv4 : kComparedIpv6;
  if (frame.bytes.size() < compared) {
    return;
  }
  if (known_.empty()) {
    known_.resize(kFlows);
  }
  const auto at = static_cast<size_t>(packet.network.data() - frame.bytes.data());
  const size_t ports = at + (ipv4 ? Ipv4Header::size : Ipv6Header::size);
  std::array<uint8_t, kMost> first{}, mask{};
  std::copy_n(frame.bytes.begin(), compared, first.begin());
  const auto set = [&](size_t from, size_t bytes, uint8_t to) {
    std::fill_n(mask.begin() + from, bytes, to);
  };
  set(0, ports + kPorts, 0xFF);
  if (ipv4) {
    set(at + kIpv4Length, 4, 0);  // and the identification
    set(at + kIpv4Checksum, 2, 0);
  } else {
    set(at + kIpv6Length, 2, 0);
  }
  if (packet.carrier != Carrier::tcp) {
    set(ports, 2, 0);  // the source port: some change it with every packet, so that all paths are used
  }
  Known& known = known_[place_of(frame.bytes)];
  known.flow = packet.flow = ++flows_;
  for (size_t i = 0; i < known.bytes.size(); ++i) {
    known.bytes[i] = base::word(first, i * 8);
    known.mask[i] = base::word(mask, i * 8);
  }
  known.network_at = static_cast<uint8_t>(at);
  known.source = packet.source;
  known.destination = packet.destination;
  known.routed = packet.routed;
  known.station = packet.station;
  known.way = packet.way;
  known.priority = packet.priority;
}

}  // namespace steertag::link
