#include "link/decoder.h"

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/ethernet.h"
#include "link/headers.h"
#include "link/transport.h"
#include "link/tunnel.h"

namespace steertag::link {

namespace {

bool listed(const std::vector<uint16_t>& ports, uint16_t port) {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
}

uint32_t with_address(uint32_t way, const base::Address& address) {
  const auto half = [&](size_t at) { return wire::big_endian<uint64_t>(address.octets.data() + at); };
  return mixed(mixed(way, half(0)), half(8));
}

}  // namespace

Decoder::Decoder(Options options) : options_(std::move(options)) {}

const Packet& Decoder::decode(const Frame& frame) {
  packet_ = Packet{};
  depth_ = 0;
  ++counters_.frames;
  const Verdict verdict =
      decode_link(frame.link_type, Stretch(frame.bytes, frame.original_length), frame.at.time_ns);
  count(verdict);
  if (verdict != Verdict::ok) {
    packet_ = Packet{};
  }
  return packet_;
}

// LINKTYPE_ values: https://www.tcpdump.org/linktypes.html
Verdict Decoder::decode_link(uint32_t link_type, Stretch frame, int64_t time_ns) {
  EtherPayload payload;
  Verdict verdict = Verdict::ok;
  switch (link_type) {
    case 1:
      verdict = read_ethernet(frame, payload);
      break;
    case 113:
      verdict = read_cooked_v1(frame, payload);
      break;
    case 276:
      verdict = read_cooked_v2(frame, payload);
      break;
    case 0:
    case 108:
      verdict = read_loopback(frame, payload);
      break;
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return decode_ip(frame, time_ns);
    case 197:
      return decode_erf(frame, time_ns);
    case 247:
      return read_infiniband(frame, packet_);
    default:
      return Verdict::unknown_link;
  }
  return verdict == Verdict::ok ? decode_ether_type(payload, time_ns) : verdict;
}

Verdict Decoder::decode_erf(Stretch frame, int64_t time_ns) {
  ErfRecord record;
  if (const Verdict verdict = read_erf(frame, record); verdict != Verdict::ok) {
    return verdict;
  }
  if (record.kind == ErfRecord::Kind::infiniband) {
    return read_infiniband(record.content, packet_);
  }
  EtherPayload payload;
  const Verdict verdict = read_ethernet(record.content, payload);
  return verdict == Verdict::ok ? decode_ether_type(payload, time_ns) : verdict;
}

Verdict Decoder::decode_ether_type(const EtherPayload& payload, int64_t time_ns) {
  packet_.way = mixed(packet_.way, payload.way);
  switch (payload.type) {
    case ether_type::kIpv4:
    case ether_type::kIpv6:
      return decode_ip(payload.rest, time_ns);
    case ether_type::kRoce1:
      return read_roce1(payload.rest, packet_);
    case ether_type::kMpls:
    case ether_type::kMplsUpstream: {
      EtherPayload inside;
      const Verdict opened = read_mpls(payload.rest, inside);
      return decode_inside(opened, inside, time_ns);
    }
    case ether_type::kMacControl:
      return read_pause(payload, packet_);
    default:
      return Verdict::other;
  }
}

// A tunnel's header was read, or was not.
Verdict Decoder::decode_inside(Verdict opened, EtherPayload inside, int64_t time_ns) {
  if (opened != Verdict::ok) {
    return opened;
  }
  if (++depth_ > kMaxDepth) {
    return Verdict::other;
  }
  ++counters_.tunnels;
  if (inside.type == ether_type::kBridged) {
    packet_.way = mixed(packet_.way, inside.way);
    const Stretch frame = inside.rest;
    const Verdict verdict = read_ethernet(frame, inside);
    return verdict == Verdict::ok ? decode_ether_type(inside, time_ns) : verdict;
  }
  const Verdict verdict = skip_vlan_tags(inside);
  return verdict == Verdict::ok ? decode_ether_type(inside, time_ns) : verdict;
}

// The same, of a tunnel whose ends have IP addresses.
Verdict Decoder::decode_tunnel(const IpHeader& ip, Verdict opened, const EtherPayload& inside,
                               int64_t time_ns) {
  packet_.way = with_address(with_address(packet_.way, ip.source), ip.destination);
  return decode_inside(opened, inside, time_ns);
}

Verdict Decoder::decode_ip(Stretch datagram, int64_t time_ns) {
  IpHeader ip;
  if (const Verdict verdict = read_ip(datagram, ip); verdict != Verdict::ok) {
    return verdict;
  }
  if (!ip.fragment) {
    return decode_transport(ip, time_ns);
  }
  ++counters_.fragments;
  Stretch whole;
  if (!fragments_.add(ip, time_ns, counters_, whole)) {
    return Verdict::fragment;
  }
  ++counters_.reassembled;
  if (const Verdict verdict = read_ip(whole, ip); verdict != Verdict::ok) {
    return verdict;
  }
  return ip.fragment ? Verdict::malformed : decode_transport(ip, time_ns);
}

Verdict Decoder::decode_transport(const IpHeader& ip, int64_t time_ns) {
  EtherPayload inside;
  switch (ip.protocol) {
    case ip_protocol::kTcp:
    case ip_protocol::kUdp:
      packet_.source = ip.source;
      packet_.destination = ip.destination;
      packet_.network = ip.datagram.captured;
      packet_.routed = ip.routed;
      return ip.protocol == ip_protocol::kTcp ? read_tcp(ip.payload, packet_) : decode_udp(ip, time_ns);
    case ip_protocol::kIpv4:
    case ip_protocol::kIpv6:
      return decode_tunnel(ip, Verdict::ok, EtherPayload{ether_type::kIpv4, ip.payload, {}, 0}, time_ns);
    case ip_protocol::kGre: {
      const Verdict opened = read_gre(ip.payload, inside);
      return decode_tunnel(ip, opened, inside, time_ns);
    }
    case ip_protocol::kMpls: {
      const Verdict opened = read_mpls(ip.payload, inside);
      return decode_tunnel(ip, opened, inside, time_ns);
    }
    default:
      return Verdict::other;
  }
}

Verdict Decoder::decode_udp(const IpHeader& ip, int64_t time_ns) {
  uint16_t port = 0;
  const Verdict verdict = read_udp(ip.payload, packet_, port);
  if (verdict == Verdict::cut) {
    return verdict;
  }
  if (listed(options_.roce_ports, port)) [[likely]] {
    packet_.carrier = Carrier::roce2;
    return verdict;
  }
  const bool vxlan = listed(options_.vxlan_ports, port);
  if (!vxlan && !listed(options_.geneve_ports, port)) {
    others_.note_datagram(port, packet_.payload);
    return Verdict::other;
  }
  if (verdict != Verdict::ok) {
    return verdict;
  }
  const Stretch data(packet_.payload, packet_.payload_length);
  EtherPayload inside;
  const Verdict opened = vxlan ? read_vxlan(data, inside) : read_geneve(data, inside);
  return decode_tunnel(ip, opened, inside, time_ns);
}

void Decoder::count(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      ++(packet_.carrier == Carrier::tcp     ? counters_.tcp
         : packet_.carrier == Carrier::pause ? counters_.pauses
                                             : counters_.roce);
      return;
    case Verdict::unknown_link:
      ++counters_.unknown_link;
      return;
    case Verdict::other:
      ++counters_.other;
      return;
    case Verdict::cut:
      ++counters_.cut;
      return;
    case Verdict::malformed:
      ++counters_.malformed;
      return;
    case Verdict::fragment:
      return;
  }
}

}  // namespace steertag::link
