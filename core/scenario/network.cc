#include "scenario/network.h"

#include <algorithm>

#include "link/decoder.h"
#include "link/headers.h"
#include "link/internet_checksum.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"
#include "scenario/icmp_message.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

namespace ether_type = link::ether_type;
namespace ip_protocol = link::ip_protocol;

using Octets = std::vector<uint8_t>;

constexpr size_t kMinimumFrame = 60;  // Ethernet, without FCS
constexpr size_t kTcpChecksum = 16;   // where it stands in its header

void store(Octets& bytes, size_t at, uint16_t value) {
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

link::Mac mac_of(const base::Address& a) {
  return {2, 0, a.octets[12], a.octets[13], a.octets[14], a.octets[15]};
}

uint8_t tcp_flags(const Datagram& d) {
  return static_cast<uint8_t>((d.fin ? 1 : 0) | (d.syn ? 2 : 0) | (d.rst ? 4 : 0) |
                              (d.bytes.empty() ? 0 : 8) | (d.ack ? 16 : 0));
}

// RoCE entropy: different for each QP and direction, and stable.
uint16_t udp_source(const ConnectionSpec& spec, Side from) {
  return static_cast<uint16_t>(0xC000 | ((spec.qpn[rdma::index(from)] * 7 + rdma::index(from)) & 0x3FFF));
}

void write_ethernet(Octets& out, const NetworkEnds& ends, std::optional<uint16_t> vlan, uint16_t type) {
  wire::write(out, link::EthernetHeader{mac_of(ends.destination), mac_of(ends.source),
                                        vlan ? ether_type::kVlan : type});
  if (vlan) {
    wire::write(out, link::VlanTag{*vlan, type});
  }
}

void write_ipv6(Octets& out, const NetworkEnds& ends, uint8_t next, size_t content, uint8_t traffic_class) {
  link::Ipv6Header ip;
  ip.version_class_flow |= uint32_t{traffic_class} << 20;
  ip.payload_length = static_cast<uint16_t>(content);
  ip.next_header = next;
  ip.source = ends.source.octets;
  ip.destination = ends.destination.octets;
  wire::write(out, ip);
}

void write_ipv4(Octets& out, const NetworkEnds& ends, uint8_t protocol, size_t content, uint8_t traffic_class,
                uint16_t id) {
  link::Ipv4Header ip;
  ip.type_of_service = traffic_class;
  ip.total_length = static_cast<uint16_t>(link::Ipv4Header::size + content);
  ip.id = id;
  ip.protocol = protocol;
  std::copy_n(ends.source.octets.begin() + 12, 4, ip.source.begin());
  std::copy_n(ends.destination.octets.begin() + 12, 4, ip.destination.begin());
  link::write_checked(out, ip);
}

// The DSCP of that end, and ECN's CE where the packet was marked.
uint8_t traffic_class(const ConnectionSpec& spec, const Datagram& datagram) {
  return static_cast<uint8_t>(spec.dscp[rdma::index(datagram.from)] << 2 | (datagram.marked ? 3 : 0));
}

// With the pseudo-header's checksum: of addresses, which an IPv4 one pads with zeros only, protocol and
// length.
void write_tcp(Octets& out, const ConnectionSpec& spec, const Datagram& datagram, const NetworkEnds& ends,
               bool ipv6) {
  const bool client = datagram.from == kClient;
  link::TcpHeader header;
  header.source_port = client ? spec.source_port : spec.port;
  header.destination_port = client ? spec.port : spec.source_port;
  header.sequence = datagram.sequence;
  header.acknowledgment = datagram.ack ? datagram.acknowledged : 0;
  header.flags = tcp_flags(datagram);
  header.window = datagram.window;
  const size_t begin = out.size();
  wire::write(out, header);
  out.insert(out.end(), datagram.bytes.begin(), datagram.bytes.end());
  uint32_t sum = static_cast<uint32_t>(out.size() - begin) + ip_protocol::kTcp;
  for (const base::Address& end : {ends.source, ends.destination}) {
    sum = link::ones_sum(ipv6 ? Bytes(end.octets) : Bytes(end.octets).last(4), sum);
  }
  sum = link::ones_sum(Bytes(out).subspan(begin), sum);
  store(out, begin + kTcpChecksum, static_cast<uint16_t>(0xFFFF - sum));
}

void write_udp(Octets& out, const ConnectionSpec& spec, Side from, size_t length) {
  wire::write(out, link::UdpHeader{.source_port = udp_source(spec, from),
                                   .destination_port = link::kRocePort,
                                   .length = static_cast<uint16_t>(length)});
}

}  // namespace

NetworkEnds network_ends(const ConnectionSpec& spec, Side from, bool ipv6) {
  return {address(spec.address[rdma::index(from)], ipv6),
          address(spec.address[rdma::index(rdma::other(from))], ipv6)};
}

void Framer::write_ip(std::vector<uint8_t>& out, const ConnectionSpec& spec, const Datagram& datagram,
                      const NetworkEnds& ends, uint8_t protocol, size_t content) {
  if (ipv6_) {
    return write_ipv6(out, ends, protocol, content, traffic_class(spec, datagram));
  }
  uint16_t& id = identification_[rdma::index(datagram.from)];
  write_ipv4(out, ends, protocol, content, traffic_class(spec, datagram),
             datagram.twice ? static_cast<uint16_t>(id - 1) : id++);
}

// To the address that no bridge passes on (IEEE 802.3 annex 31B).
std::vector<uint8_t> Framer::pause_frame(const ConnectionSpec& spec, const Datagram& datagram) const {
  constexpr link::Mac kBridges = {0x01, 0x80, 0xC2, 0, 0, 0x01};
  const PauseLine& line = *datagram.pause;
  link::ClassQuanta times;
  times.quanta[line.priority] = line.quanta;
  Octets out;
  wire::write(out, link::EthernetHeader{kBridges, mac_of(network_ends(spec, datagram.from, ipv6_).source),
                                        ether_type::kMacControl});
  wire::write(out, link::MacControlHeader{link::mac_control::kPriorityPause,
                                          static_cast<uint16_t>(1 << line.priority)});
  wire::write(out, times);
  out.resize(kMinimumFrame);
  return out;
}

std::vector<uint8_t> Framer::icmp_frame(const ConnectionSpec& spec, const Datagram& datagram) {
  const auto about = latest_.find({datagram.connection, rdma::other(datagram.from)});
  if (about == latest_.end()) {
    return {};
  }
  NetworkEnds ends = network_ends(spec, datagram.from, ipv6_);
  if (datagram.icmp->by != 0) {
    ends.source = address(datagram.icmp->by, ipv6_);
  }
  const Octets message = icmp_message(*datagram.icmp, about->second, ends, ipv6_);
  Octets out;
  write_ethernet(out, ends, vlan_, ipv6_ ? ether_type::kIpv6 : ether_type::kIpv4);
  write_ip(out, spec, datagram, ends, ipv6_ ? ip_protocol::kIcmpV6 : ip_protocol::kIcmp, message.size());
  out.insert(out.end(), message.begin(), message.end());
  out.resize(std::max(out.size(), kMinimumFrame));
  return out;
}

std::vector<uint8_t> Framer::frame(const ConnectionSpec& spec, const Datagram& datagram) {
  if (datagram.pause) {
    return pause_frame(spec, datagram);
  }
  if (datagram.icmp) {
    return icmp_frame(spec, datagram);
  }
  const Side from = datagram.from;
  const NetworkEnds ends = network_ends(spec, from, ipv6_);
  const bool tcp = fabric_ == Fabric::iwarp, grh = fabric_ == Fabric::roce1;
  const size_t transport = grh ? 0 : tcp ? link::TcpHeader::size : link::UdpHeader::size;
  const size_t content = transport + datagram.bytes.size() + (tcp ? 0 : rdma::roce::kIcrcSize);

  Octets out;
  out.reserve(link::EthernetHeader::size + link::VlanTag::size + link::Ipv6Header::size + content);
  write_ethernet(out, ends, vlan_, grh ? ether_type::kRoce1 : ipv6_ ? ether_type::kIpv6 : ether_type::kIpv4);
  const size_t network = out.size();
  const uint8_t protocol = grh ? ip_protocol::kIbTransport : tcp ? ip_protocol::kTcp : ip_protocol::kUdp;
  if (grh) {
    write_ipv6(out, ends, protocol, content, traffic_class(spec, datagram));
  } else {
    write_ip(out, spec, datagram, ends, protocol, content);
  }

  if (tcp) {
    write_tcp(out, spec, datagram, ends, ipv6_);
  } else {
    if (!grh) {
      write_udp(out, spec, from, content);
    }
    const size_t packet = out.size();
    out.insert(out.end(), datagram.bytes.begin(), datagram.bytes.end());
    add_icrc(out, spec, datagram, network, packet);
  }
  const Bytes packet = slice(out, network, kMostQuoted);
  latest_[{datagram.connection, from}].assign(packet.begin(), packet.end());
  out.resize(std::max(out.size(), kMinimumFrame));
  return out;
}

void Framer::add_icrc(std::vector<uint8_t>& out, const ConnectionSpec& spec, const Datagram& datagram,
                      size_t network, size_t packet) const {
  const auto carrier = fabric_ == Fabric::roce1 ? link::Carrier::roce1 : link::Carrier::roce2;
  if (spec.unfilled[rdma::index(datagram.from)] || !rdma::roce::append_icrc(carrier, out, network, packet)) {
    out.resize(out.size() + rdma::roce::kIcrcSize);
  }
  if (datagram.bad_checksum) {
    out.back() ^= 0xFF;
  }
}

}  // namespace steertag::scenario
