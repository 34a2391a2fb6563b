#include "link/plain.h"

#include <algorithm>
#include <optional>

#include "link/ethernet.h"
#include "link/headers.h"
#include "link/transport.h"
#include "wire/fixed.h"

namespace steertag::link {
namespace {

using wire::read_fixed;

constexpr size_t kDestinationPort = 2;  // offset in a UDP header
constexpr size_t kLeastHeaders = EthernetHeader::size + VlanTag::size + Ipv4Header::size;

bool read_ip(const Ipv4Header& ip, Packet& into, PlainDatagram& datagram) {
  if (ip.version_and_length != 0x45 || ip.more_fragments() || ip.fragment_offset() != 0) {
    return false;
  }
  datagram = {ip.protocol, Ipv4Header::size, ip.total_length};
  into.source = base::Address::ipv4(ip.source);
  into.destination = base::Address::ipv4(ip.destination);
  into.routed = Routed{ip.time_to_live, ip.type_of_service, ip.id};
  return true;
}

bool read_ip(const Ipv6Header& ip, Packet& into, PlainDatagram& datagram) {
  if (ip.version() != 6 || ip.payload_length == 0) {
    return false;
  }
  datagram = {ip.next_header, Ipv6Header::size, Ipv6Header::size + ip.payload_length};
  into.source = base::Address::ipv6(ip.source);
  into.destination = base::Address::ipv6(ip.destination);
  into.routed = Routed{ip.hop_limit, static_cast<uint8_t>(ip.version_class_flow >> 20), 0};
  return true;
}

template <typename Header>
bool read_ip(Bytes bytes, Packet& into, PlainDatagram& datagram) {
  Header header;
  return bytes.size() >= Header::size && read_ip(read_fixed(bytes.data(), header), into, datagram);
}

bool read_roce(const PlainDatagram& datagram, Packet& packet) {
  const uint32_t headers = datagram.header + UdpHeader::size;
  if (packet.network.size() < headers) {
    return false;
  }
  UdpHeader udp;
  read_fixed(packet.network.data() + datagram.header, udp);
  if (udp.length <= UdpHeader::size || datagram.header + udp.length > datagram.total) {
    return false;
  }
  packet.carrier = Carrier::roce2;
  packet.udp_source_port = udp.source_port;
  packet.payload_length = udp.length - UdpHeader::size;
  packet.payload = slice(packet.network, headers, packet.payload_length);
  return true;
}

bool read_tcp(const PlainDatagram& datagram, Packet& packet) {
  if (packet.network.size() < datagram.header + TcpHeader::size) {
    return false;
  }
  TcpHeader tcp;
  read_fixed(packet.network.data() + datagram.header, tcp);
  const uint32_t headers = datagram.header + tcp.header_length();
  if (tcp.header_length() < TcpHeader::size || headers > datagram.total) {
    return false;
  }
  packet.carrier = Carrier::tcp;
  packet.tcp = fields(tcp);
  packet.tcp.options =
      slice(packet.network, datagram.header + TcpHeader::size, tcp.header_length() - TcpHeader::size);
  packet.payload_length = datagram.total - headers;
  packet.payload = slice(packet.network, headers);
  return true;
}

// Whether a UDP header says that RoCEv2 is behind it.
bool is_roce(const PlainDatagram& datagram, const std::vector<uint16_t>& ports, Bytes network) {
  const Bytes port = slice(network, datagram.header + kDestinationPort, 2);
  return port.size() == 2 &&
         std::find(ports.begin(), ports.end(), wire::big_endian<uint16_t>(port.data())) != ports.end();
}

}  // namespace

bool read_plain(const Frame& frame, const std::vector<uint16_t>& roce_ports, Packet& into) {
  if (frame.link_type != kLinkEthernet || frame.bytes.size() < kLeastHeaders) {
    return false;
  }
  EthernetHeader ethernet;
  read_fixed(frame.bytes.data(), ethernet);
  Bytes rest = slice(frame.bytes, EthernetHeader::size);
  uint16_t type = ethernet.type;
  uint32_t way = way_of(ethernet);
  into.priority = Packet::kNoPriority;
  std::optional<uint16_t> vlan;
  if (type == ether_type::kVlan) {
    VlanTag tag;
    read_fixed(rest.data(), tag);
    rest = slice(rest, VlanTag::size);
    type = tag.type;
    way = way_of(way, tag);
    into.priority = priority_of(tag);
    vlan = vlan_of(tag);
  }
  into.station = Station(ethernet.source, vlan);
  into.flow = 0;
  into.way = mixed(0, way);
  PlainDatagram datagram;
  const bool plain = type == ether_type::kIpv4   ? read_ip<Ipv4Header>(rest, into, datagram)
                     : type == ether_type::kIpv6 ? read_ip<Ipv6Header>(rest, into, datagram)
                                                 : false;
  if (!plain || datagram.total < datagram.header) {
    return false;
  }
  into.network = slice(rest, 0, datagram.total);
  return (datagram.protocol != ip_protocol::kUdp || is_roce(datagram, roce_ports, into.network)) &&
         read_plain_transport(datagram, into);
}

// As a Packet{} is, but for what is always set; every packet passes here, and a whole assignment is a slow
// one.
bool read_plain_transport(const PlainDatagram& datagram, Packet& into) {
  into.pause = {};
  switch (datagram.protocol) {
    case ip_protocol::kUdp:
      into.tcp = {};
      return read_roce(datagram, into);
    case ip_protocol::kTcp:
      into.udp_source_port = 0;
      return read_tcp(datagram, into);
    default:
      return false;
  }
}

}  // namespace steertag::link
