#include "scenario/tunnel.h"

#include <utility>

#include "base/bytes.h"
#include "base/named.h"
#include "link/decoder.h"
#include "link/internet_checksum.h"
#include "link/tunnel_headers.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

namespace ether_type = link::ether_type;
namespace ip_protocol = link::ip_protocol;

using Octets = std::vector<uint8_t>;

template <typename Header>
Octets behind(const Header& header, Bytes content) {
  Octets out;
  wire::write(out, header);
  out.insert(out.end(), content.begin(), content.end());
  return out;
}

Octets in_ethernet(uint16_t type, Bytes packet) {
  return behind(link::EthernetHeader{{2, 0, 0, 0, 1, 2}, {2, 0, 0, 0, 1, 1}, type}, packet);
}

// Between two switches.
Octets in_ip(uint8_t protocol, Bytes content) {
  Octets out;
  link::write_checked(out, {.total_length = static_cast<uint16_t>(link::Ipv4Header::size + content.size()),
                            .protocol = protocol,
                            .source = {172, 16, 0, 1},
                            .destination = {172, 16, 0, 2}});
  out.insert(out.end(), content.begin(), content.end());
  return in_ethernet(ether_type::kIpv4, out);
}

Octets in_udp(uint16_t port, Bytes content) {
  const link::UdpHeader header{.source_port = 49999,
                               .destination_port = port,
                               .length = static_cast<uint16_t>(link::UdpHeader::size + content.size())};
  return in_ip(ip_protocol::kUdp, behind(header, content));
}

Octets in_gre(uint16_t protocol, Bytes content, bool numbered = false) {
  const Octets sequence(numbered ? 4 : 0);
  Octets rest = sequence;
  rest.insert(rest.end(), content.begin(), content.end());
  const auto flags = static_cast<uint16_t>(numbered ? link::GreHeader::kSequence : 0);
  return in_ip(ip_protocol::kGre, behind(link::GreHeader{flags, protocol}, rest));
}

// Two labels; the second is the last.
Octets in_mpls(Bytes content) {
  const Octets inner = behind(link::MplsLabel{200u << 12 | 0x100 | 64}, content);
  return in_ethernet(ether_type::kMpls, behind(link::MplsLabel{100u << 12 | 64}, inner));
}

// The IP packet in a frame; empty where there is none.
Bytes packet_in(const Octets& frame) {
  size_t at = link::EthernetHeader::size;
  const auto type = [&] { return at <= frame.size() ? frame[at - 2] << 8 | frame[at - 1] : 0; };
  while (type() == ether_type::kVlan) {
    at += link::VlanTag::size;
  }
  const bool ip = type() == ether_type::kIpv4 || type() == ether_type::kIpv6;
  return ip ? slice(frame, at) : Bytes();
}

}  // namespace

std::optional<Tunnel> tunnel_of(std::string_view name) {
  constexpr std::pair<std::string_view, Tunnel> names[] = {
      {"gre", Tunnel::gre},         {"erspan1", Tunnel::erspan1},       {"erspan2", Tunnel::erspan2},
      {"erspan3", Tunnel::erspan3}, {"vxlan", Tunnel::vxlan},           {"geneve", Tunnel::geneve},
      {"mpls", Tunnel::mpls},       {"pseudowire", Tunnel::pseudowire}, {"ipip", Tunnel::ipip}};
  return base::valued(names, name);
}

std::vector<uint8_t> enclose(Tunnel tunnel, const std::vector<uint8_t>& frame) {
  const Bytes packet = packet_in(frame);
  switch (tunnel) {
    case Tunnel::gre:
      return in_gre(ether_type::kBridged, frame);
    case Tunnel::erspan1:
      return in_gre(ether_type::kErspan, frame);
    case Tunnel::erspan2:
      return in_gre(ether_type::kErspan, behind(link::Erspan2{}, frame), true);
    case Tunnel::erspan3:
      return in_gre(ether_type::kErspan3, behind(link::Erspan3{}, frame), true);
    case Tunnel::vxlan:
      return in_udp(link::kVxlanPort, behind(link::VxlanHeader{.network = 42}, frame));
    case Tunnel::geneve:
      return in_udp(link::kGenevePort, behind(link::GeneveHeader{.network = 42}, frame));
    case Tunnel::mpls:
      return packet.empty() ? frame : in_mpls(packet);
    case Tunnel::pseudowire: {
      Octets control(link::kControlWordSize);
      control.insert(control.end(), frame.begin(), frame.end());
      return in_mpls(control);
    }
    case Tunnel::ipip:
      return packet.empty() ? frame
                            : in_ip(packet[0] >> 4 == 4 ? ip_protocol::kIpv4 : ip_protocol::kIpv6, packet);
  }
  return frame;
}

}  // namespace steertag::scenario
