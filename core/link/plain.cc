#include "link/plain.h"

#include <algorithm>

#include "link/ethernet.h"
#include "link/headers.h"
#include "link/transport.h"
#include "wire/fixed.h"

namespace steertag::link {

namespace {

using wire::read_fixed;

constexpr uint32_t kEthernet = 1;  // LINKTYPE_
constexpr size_t kLeastHeaders = EthernetHeader::size + VlanTag::size + Ipv4Header::size;

// What an IP header says of itself: where it ends, and the datagram, which may go on beyond what was
// captured.
struct Datagram {
  uint8_t protocol = 0;
  uint32_t header = 0, total = 0;  // bytes
};

bool read_ip(const Ipv4Header& ip, Packet& into, Datagram& datagram) {
  if (ip.version_and_length != 0x45 || ip.more_fragments() || ip.fragment_offset() != 0) {
    return false;
  }
  datagram = {ip.protocol, Ipv4Header::size, ip.total_length};
  into.source = base::Address::ipv4(ip.source);
  into.destination = base::Address::ipv4(ip.destination);
  into.routed = Routed{ip.time_to_live, ip.type_of_service, ip.id};
  return true;
}

bool read_ip(const Ipv6Header& ip, Packet& into, Datagram& datagram) {
  if (ip.version() != 6 || ip.payload_length == 0) {
    return false;
  }
  datagram = {ip.next_header, Ipv6Header::size, Ipv6Header::size + ip.payload_length};
  into.source = base::Address::ipv6(ip.source);
  into.destination = base::Address::ipv6(ip.destination);
  into.routed = Routed{ip.hop_limit, static_cast<uint8_t>(ip.version_class_flow >> 20), 0};
  return true;
}

// As a Packet{} is, but for what is always set; every packet passes here, and a whole assignment is a slow
// one.
void clear(Packet& packet) {
  packet.payload = {};
  packet.tcp = {};
  packet.udp_source_port = 0;
  packet.pause = {};
}

template <typename Header>
bool read_ip(Bytes bytes, Packet& into, Datagram& datagram) {
  Header header;
  return bytes.size() >= Header::size && read_ip(read_fixed(bytes.data(), header), into, datagram);
}

// `packet.network` is the datagram, as far as it was captured.
bool read_roce(const Datagram& datagram, const std::vector<uint16_t>& ports, Packet& packet) {
  const uint32_t headers = datagram.header + UdpHeader::size;
  if (packet.network.size() < headers) {
    return false;
  }
  UdpHeader udp;
  read_fixed(packet.network.data() + datagram.header, udp);
  if (std::find(ports.begin(), ports.end(), udp.destination_port) == ports.end() ||
      udp.length <= UdpHeader::size || datagram.header + udp.length > datagram.total) {
    return false;
  }
  packet.carrier = Carrier::roce2;
  packet.udp_source_port = udp.source_port;
  packet.payload_length = udp.length - UdpHeader::size;
  packet.payload = slice(packet.network, headers, packet.payload_length);
  return true;
}

bool read_tcp(const Datagram& datagram, Packet& packet) {
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

}  // namespace

bool read_plain(const Frame& frame, const std::vector<uint16_t>& roce_ports, Packet& into) {
  if (frame.link_type != kEthernet || frame.bytes.size() < kLeastHeaders) {
    return false;
  }
  EthernetHeader ethernet;
  read_fixed(frame.bytes.data(), ethernet);
  Bytes rest = slice(frame.bytes, EthernetHeader::size);
  uint16_t type = ethernet.type;
  uint32_t way = way_of(ethernet);
  if (type == ether_type::kVlan) {
    VlanTag tag;
    read_fixed(rest.data(), tag);
    rest = slice(rest, VlanTag::size);
    type = tag.type;
    way = way_of(way, tag);
  }
  clear(into);
  into.way = mixed(0, way);
  Datagram datagram;
  const bool plain = type == ether_type::kIpv4   ? read_ip<Ipv4Header>(rest, into, datagram)
                     : type == ether_type::kIpv6 ? read_ip<Ipv6Header>(rest, into, datagram)
                                                 : false;
  if (!plain || datagram.total < datagram.header) {
    return false;
  }
  into.network = slice(rest, 0, datagram.total);
  return datagram.protocol == ip_protocol::kUdp   ? read_roce(datagram, roce_ports, into)
         : datagram.protocol == ip_protocol::kTcp ? read_tcp(datagram, into)
                                                  : false;
}

}  // namespace steertag::link
