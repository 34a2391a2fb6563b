#include "scenario/network.h"

#include <algorithm>

#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

constexpr uint16_t kEtherIpv4 = 0x0800, kEtherIpv6 = 0x86DD, kEtherVlan = 0x8100, kEtherRoce = 0x8915;
constexpr uint8_t kTcp = 6, kUdp = 17, kIbNext = 0x1B;
constexpr uint8_t kHopLimit = 64;
constexpr uint16_t kRoceUdpPort = 4791;
constexpr size_t kEthernet = 14, kVlanTag = 4, kIpv4 = 20, kIpv6 = 40, kUdpHeader = 8, kTcpHeader = 20;
constexpr size_t kMinimumFrame = 60;  // Ethernet, without FCS

struct EthernetHeader {
  std::array<uint8_t, 6> destination{}, source{};

  static void layout(auto& w, auto& h) {
    w.array("destination", h.destination);
    w.array("source", h.source);
  }
};

struct Ipv4Header {
  uint8_t version = 0x45, service = 0;
  uint16_t length = 0, identification = 0, fragment = 0x4000;  // do not fragment
  uint8_t ttl = kHopLimit, protocol = 0;
  uint16_t checksum = 0;
  std::array<uint8_t, 4> source{}, destination{};

  static void layout(auto& w, auto& h) {
    w("version", h.version);
    w("service", h.service);
    w("length", h.length);
    w("identification", h.identification);
    w("fragment", h.fragment);
    w("ttl", h.ttl);
    w("protocol", h.protocol);
    w("checksum", h.checksum);
    w.array("source", h.source);
    w.array("destination", h.destination);
  }
};

struct Ipv6Header {  // a GRH has the same layout
  uint32_t version = 0x60000000;
  uint16_t length = 0;
  uint8_t next = 0, hop_limit = kHopLimit;
  std::array<uint8_t, 16> source{}, destination{};

  static void layout(auto& w, auto& h) {
    w("version", h.version);
    w("length", h.length);
    w("next", h.next);
    w("hop_limit", h.hop_limit);
    w.array("source", h.source);
    w.array("destination", h.destination);
  }
};

struct UdpHeader {
  uint16_t source = 0, destination = kRoceUdpPort, length = 0, checksum = 0;

  static void layout(auto& w, auto& h) {
    w("source", h.source);
    w("destination", h.destination);
    w("length", h.length);
    w("checksum", h.checksum);
  }
};

struct TcpHeader {
  uint16_t source = 0, destination = 0;
  uint32_t sequence = 0, acknowledged = 0;
  uint8_t data_offset = 0x50, flags = 0;
  uint16_t window = 0xFFFF, checksum = 0, urgent = 0;

  static void layout(auto& w, auto& h) {
    w("source", h.source);
    w("destination", h.destination);
    w("sequence", h.sequence);
    w("acknowledged", h.acknowledged);
    w("data_offset", h.data_offset);
    w("flags", h.flags);
    w("window", h.window);
    w("checksum", h.checksum);
    w("urgent", h.urgent);
  }
};

// One's complement sum, RFC 1071.
class InternetChecksum {
 public:
  void add(Bytes bytes) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      sum_ += i % 2 == 0 ? uint64_t{bytes[i]} << 8 : bytes[i];
    }
  }
  void add(uint64_t value) { sum_ += value; }
  uint16_t value() const {
    uint64_t sum = sum_;
    while (sum >> 16 != 0) {
      sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return static_cast<uint16_t>(~sum);
  }

 private:
  uint64_t sum_ = 0;
};

void store(std::vector<uint8_t>& bytes, size_t at, uint16_t value) {
  bytes[at] = static_cast<uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<uint8_t>(value);
}

base::Address address(uint32_t ipv4, bool ipv6) {
  std::array<uint8_t, 16> octets{0xFD};
  for (size_t i = 0; i < 4; ++i) {
    octets[12 + i] = static_cast<uint8_t>(ipv4 >> (24 - 8 * i));
  }
  return ipv6 ? base::Address::ipv6(octets) : base::Address::ipv4(Bytes(octets).last(4));
}

uint8_t tcp_flags(const Datagram& d) {
  return static_cast<uint8_t>((d.fin ? 1 : 0) | (d.syn ? 2 : 0) | (d.rst ? 4 : 0) |
                              (d.bytes.empty() ? 0 : 8) | (d.ack ? 16 : 0));
}

// RoCE entropy: different for each QP and direction, and stable.
uint16_t udp_source(const ConnectionSpec& spec, Side from) {
  return static_cast<uint16_t>(0xC000 | ((spec.qpn[rdma::index(from)] * 7 + rdma::index(from)) & 0x3FFF));
}

}  // namespace

NetworkEnds network_ends(const ConnectionSpec& spec, Side from, bool ipv6) {
  return {address(spec.address[rdma::index(from)], ipv6),
          address(spec.address[rdma::index(rdma::other(from))], ipv6)};
}

std::vector<uint8_t> Framer::frame(const ConnectionSpec& spec, const Datagram& datagram) {
  const Side from = datagram.from;
  const NetworkEnds ends = network_ends(spec, from, ipv6_);
  const bool tcp = fabric_ == Fabric::iwarp, grh = fabric_ == Fabric::roce1;
  const size_t transport = grh ? 0 : tcp ? kTcpHeader : kUdpHeader;
  const size_t content = transport + datagram.bytes.size() + (tcp ? 0 : rdma::roce::kIcrcSize);

  std::vector<uint8_t> out;
  out.reserve(kEthernet + kVlanTag + kIpv6 + content);
  wire::Writer writer(out);
  EthernetHeader ethernet;
  const auto mac = [&](const base::Address& a) {
    return std::array<uint8_t, 6>{2, 0, a.octets[12], a.octets[13], a.octets[14], a.octets[15]};
  };
  ethernet.source = mac(ends.source);
  ethernet.destination = mac(ends.destination);
  EthernetHeader::layout(writer, ethernet);
  if (vlan_) {
    writer("tpid", kEtherVlan);
    writer("vlan", *vlan_);
  }
  writer("type", grh ? kEtherRoce : ipv6_ ? kEtherIpv6 : kEtherIpv4);

  const size_t network = out.size();
  InternetChecksum pseudo;
  if (ipv6_ || grh) {
    Ipv6Header ip;
    ip.version |= datagram.marked ? 3u << 20 : 0;
    ip.length = static_cast<uint16_t>(content);
    ip.next = grh ? kIbNext : tcp ? kTcp : kUdp;
    ip.source = ends.source.octets;
    ip.destination = ends.destination.octets;
    Ipv6Header::layout(writer, ip);
    pseudo.add(Bytes(ip.source));
    pseudo.add(Bytes(ip.destination));
  } else {
    Ipv4Header ip;
    ip.service = datagram.marked ? 3 : 0;
    ip.length = static_cast<uint16_t>(kIpv4 + content);
    uint16_t& identification = identification_[rdma::index(from)];
    ip.identification = datagram.twice ? static_cast<uint16_t>(identification - 1) : identification++;
    ip.protocol = tcp ? kTcp : kUdp;
    std::copy_n(ends.source.octets.begin() + 12, 4, ip.source.begin());
    std::copy_n(ends.destination.octets.begin() + 12, 4, ip.destination.begin());
    Ipv4Header::layout(writer, ip);
    InternetChecksum checksum;
    checksum.add(Bytes(out).subspan(network));
    store(out, network + 10, checksum.value());
    pseudo.add(Bytes(ip.source));
    pseudo.add(Bytes(ip.destination));
  }

  const size_t above = out.size();
  if (tcp) {
    TcpHeader header;
    header.source = from == kClient ? spec.source_port : spec.port;
    header.destination = from == kClient ? spec.port : spec.source_port;
    header.sequence = datagram.sequence;
    header.acknowledged = datagram.ack ? datagram.acknowledged : 0;
    header.flags = tcp_flags(datagram);
    TcpHeader::layout(writer, header);
    writer.array("data", datagram.bytes);
    pseudo.add(kTcp);
    pseudo.add(content);
    pseudo.add(Bytes(out).subspan(above));
    store(out, above + 16, pseudo.value());
  } else {
    if (!grh) {
      UdpHeader header;
      header.source = udp_source(spec, from);
      header.length = static_cast<uint16_t>(content);
      UdpHeader::layout(writer, header);
    }
    writer.array("data", datagram.bytes);
    const auto carrier = grh ? link::Carrier::roce1 : link::Carrier::roce2;
    if (spec.unfilled[rdma::index(from)] ||
        !rdma::roce::append_icrc(carrier, out, network, above + transport)) {
      out.resize(out.size() + rdma::roce::kIcrcSize);
    }
    if (datagram.bad_checksum) {
      out.back() ^= 0xFF;
    }
  }
  if (out.size() < kMinimumFrame) {
    out.resize(kMinimumFrame);
  }
  return out;
}

}  // namespace steertag::scenario
