#include "link/decoder.h"

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/headers.h"
#include "link/icmp.h"
#include "link/plain.h"
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

void Decoder::decode(const Frame& frame, Packet& into) {
  if (!prediction_.read(frame, into)) [[unlikely]] {
    if (!read_plain(frame, options_.roce_ports, into)) {
      return decode_by_layers(frame, into);
    }
    prediction_.learn(frame, into);
  }
  assembled_ = false;
  ++counters_.frames;
  ++(into.carrier == Carrier::tcp ? counters_.tcp : counters_.roce);
}

void Decoder::decode_by_layers(const Frame& frame, Packet& into) {
  into = Packet{};
  packet_ = &into;
  depth_ = 0;
  assembled_ = false;
  ++counters_.frames;
  const Progress progress =
      decode_link(frame.link_type, Stretch(frame.bytes, frame.original_length), frame.at.time_ns);
  count(progress);
  if (progress != Progress::ok) {
    into = Packet{};
  }
}

// LINKTYPE_ values: https://www.tcpdump.org/linktypes.html
Progress Decoder::decode_link(uint32_t link_type, Stretch frame, int64_t time_ns) {
  EtherPayload payload;
  switch (link_type) {
    case 1:
      return decode_ether(read_ethernet(frame, payload), payload, time_ns);
    case 113:
      return decode_ether(read_cooked_v1(frame, payload), payload, time_ns);
    case 276:
      return decode_ether(read_cooked_v2(frame, payload), payload, time_ns);
    case 0:
    case 108:
      return decode_ether(read_loopback(frame, payload), payload, time_ns);
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return decode_ip(frame, time_ns);
    case 197:
      return decode_erf(frame, time_ns);
    case 247:
      return read_infiniband(frame, *packet_);
    default:
      return Progress::unknown_link;
  }
}

Progress Decoder::decode_erf(Stretch frame, int64_t time_ns) {
  ErfRecord record;
  if (const Progress progress = read_erf(frame, record); progress != Progress::ok) {
    return progress;
  }
  if (record.kind == ErfRecord::Kind::infiniband) {
    return read_infiniband(record.content, *packet_);
  }
  EtherPayload payload;
  return decode_ether(read_ethernet(record.content, payload), payload, time_ns);
}

// A link header was read, or was not.
Progress Decoder::decode_ether(Progress opened, const EtherPayload& payload, int64_t time_ns) {
  if (opened != Progress::ok) {
    return opened;
  }
  packet_->way = mixed(packet_->way, payload.way);
  packet_->priority = std::min(packet_->priority, payload.priority);
  packet_->station = Station(payload.source, payload.vlan);
  switch (payload.type) {
    case ether_type::kIpv4:
    case ether_type::kIpv6:
      return decode_ip(payload.rest, time_ns);
    case ether_type::kRoce1:
      return read_roce1(payload.rest, *packet_);
    case ether_type::kMpls:
    case ether_type::kMplsUpstream: {
      EtherPayload inside;
      return decode_inside(read_mpls(payload.rest, inside), inside, time_ns);
    }
    case ether_type::kMacControl:
      return read_pause(payload, *packet_);
    default:
      return Progress::other;
  }
}

// A tunnel's header was read, or was not.
Progress Decoder::decode_inside(Progress opened, EtherPayload& inside, int64_t time_ns) {
  if (opened != Progress::ok) {
    return opened;
  }
  if (++depth_ > kMaxDepth) {
    return Progress::other;
  }
  ++counters_.tunnels;
  if (inside.type == ether_type::kBridged) {
    packet_->way = mixed(packet_->way, inside.way);
    const Stretch frame = inside.rest;
    return decode_ether(read_ethernet(frame, inside), inside, time_ns);
  }
  return decode_ether(skip_vlan_tags(inside), inside, time_ns);
}

// The same, of a tunnel whose ends have IP addresses.
Progress Decoder::decode_tunnel(const IpHeader& ip, Progress opened, EtherPayload& inside, int64_t time_ns) {
  packet_->way = with_address(with_address(packet_->way, ip.source), ip.destination);
  return decode_inside(opened, inside, time_ns);
}

Progress Decoder::decode_ip(Stretch datagram, int64_t time_ns) {
  IpHeader ip;
  if (const Progress progress = read_ip(datagram, ip); progress != Progress::ok) {
    return progress;
  }
  if (!ip.fragment) {
    return decode_transport(ip, time_ns);
  }
  ++counters_.fragments;
  Stretch whole;
  if (!fragments_.add(ip, time_ns, counters_, whole)) {
    return Progress::fragment;
  }
  ++counters_.reassembled;
  assembled_ = true;
  if (const Progress progress = read_ip(whole, ip); progress != Progress::ok) {
    return progress;
  }
  return ip.fragment ? Progress::malformed : decode_transport(ip, time_ns);
}

Progress Decoder::decode_transport(const IpHeader& ip, int64_t time_ns) {
  EtherPayload inside;
  switch (ip.protocol) {
    case ip_protocol::kTcp:
    case ip_protocol::kUdp:
      packet_->source = ip.source;
      packet_->destination = ip.destination;
      packet_->network = ip.datagram.captured;
      packet_->routed = ip.routed;
      return ip.protocol == ip_protocol::kTcp ? read_tcp(ip.payload, *packet_) : decode_udp(ip, time_ns);
    case ip_protocol::kIcmp:
    case ip_protocol::kIcmpV6:
      return decode_icmp(ip);
    case ip_protocol::kIpv4:
    case ip_protocol::kIpv6:
      inside = {ether_type::kIpv4, ip.payload, {}, 0};
      return decode_tunnel(ip, Progress::ok, inside, time_ns);
    case ip_protocol::kGre:
      return decode_tunnel(ip, read_gre(ip.payload, inside), inside, time_ns);
    case ip_protocol::kMpls:
      return decode_tunnel(ip, read_mpls(ip.payload, inside), inside, time_ns);
    default:
      return Progress::other;
  }
}

Progress Decoder::decode_udp(const IpHeader& ip, int64_t time_ns) {
  uint16_t port = 0;
  const Progress progress = read_udp(ip.payload, *packet_, port);
  if (progress == Progress::cut) {
    return progress;
  }
  if (listed(options_.roce_ports, port)) [[likely]] {
    packet_->carrier = Carrier::roce2;
    return progress;
  }
  const bool vxlan = listed(options_.vxlan_ports, port);
  if (!vxlan && !listed(options_.geneve_ports, port)) {
    others_.note_datagram(port, packet_->payload);
    return Progress::other;
  }
  if (progress != Progress::ok) {
    return progress;
  }
  const Stretch data(packet_->payload, packet_->payload_length);
  EtherPayload inside;
  return decode_tunnel(ip, vxlan ? read_vxlan(data, inside) : read_geneve(data, inside), inside, time_ns);
}

// An error about a packet that would have been handed on.
Progress Decoder::decode_icmp(const IpHeader& ip) {
  IcmpError error;
  if (!read_icmp(ip, error) || (error.quote.protocol == ip_protocol::kUdp &&
                                !listed(options_.roce_ports, error.quote.destination_port))) {
    return Progress::other;
  }
  packet_->carrier = Carrier::icmp;
  packet_->source = error.quote.source;
  packet_->destination = error.quote.destination;
  packet_->network = ip.datagram.captured;
  packet_->routed = ip.routed;
  return Progress::ok;
}

void Decoder::count(Progress progress) {
  switch (progress) {
    case Progress::ok:
      ++(packet_->carrier == Carrier::tcp     ? counters_.tcp
         : packet_->carrier == Carrier::icmp  ? counters_.other
         : packet_->carrier == Carrier::pause ? counters_.pauses
                                              : counters_.roce);
      return;
    case Progress::unknown_link:
      ++counters_.unknown_link;
      return;
    case Progress::other:
      ++counters_.other;
      return;
    case Progress::cut:
      ++counters_.cut;
      return;
    case Progress::malformed:
      ++counters_.malformed;
      return;
    case Progress::fragment:
      return;
  }
}

}  // namespace steertag::link
