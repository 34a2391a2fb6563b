#include "sanitize/rewriter.h"

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/headers.h"
#include "link/internet_checksum.h"
#include "link/others.h"
#include "link/transport.h"
#include "link/tunnel.h"
#include "link/tunnel_headers.h"
#include "sanitize/checksum.h"
#include "sanitize/extension_headers.h"
#include "sanitize/icmp.h"
#include "sanitize/mac_control.h"
#include "sanitize/tunnels.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

namespace {

constexpr size_t kIpv4 = 4;  // bytes of an address

}  // namespace

Rewriter::Rewriter(const Key& key, link::Decoder::Options ports, const Plan& plan, std::set<uint64_t> cuts)
    : key_(key.derive('R')),
      ports_(std::move(ports)),
      plan_(plan),
      addresses_(key),
      withheld_(std::move(cuts)),
      segments_(plan, canvas_),
      rdma_(key_, plan, canvas_, addresses_, soundness_) {}

void Rewriter::rewrite(const Frame& frame, std::vector<uint8_t>& into) {
  ++order_;
  into.resize(frame.bytes.size());
  blank(key_, into);
  canvas_.begin(frame.bytes, into, frame.bytes.size() >= frame.original_length);
  changed_ = plan_.changed(frame.at);
  depth_ = 0;
  take_link(frame);
  for (size_t i = 0; i < into.size(); ++i) {
    overwritten_ += into[i] != frame.bytes[i] ? 1 : 0;
  }
}

bool Rewriter::listed(const std::vector<uint16_t>& ports, uint16_t port) const {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
}

// LINKTYPE_ values, as link::Decoder has them.
void Rewriter::take_link(const Frame& frame) {
  const Stretch all(frame.bytes, frame.original_length);
  EtherPayload payload;
  switch (frame.link_type) {
    case 1:
      take_ethernet(all);
      if (frame.bytes.size() >= frame.original_length) {
        mend_fcs(frame.bytes, canvas_.all());
      }
      return;
    case 113:
    case 276: {
      const size_t size = frame.link_type == 113 ? 16 : 20, address = frame.link_type == 113 ? 6 : 12;
      if (!all.holds(size)) {
        return;
      }
      canvas_.keep(all.captured.first(size));
      addresses_.mac(canvas_.after(all.captured.subspan(address, kMac)));
      canvas_.clear(all.captured.subspan(address + kMac, 2));
      const Progress read =
          frame.link_type == 113 ? read_cooked_v1(all, payload) : read_cooked_v2(all, payload);
      return read == Progress::ok && !payload.rest.captured.empty()
                 ? (canvas_.keep_between(all.captured.subspan(size), payload.rest.captured),
                    take_ether_type(payload.type, payload.rest))
                 : void();
    }
    case 0:
    case 108:
      if (read_loopback(all, payload) == Progress::ok) {
        canvas_.keep(slice(all.captured, 0, 4));
        take_ether_type(payload.type, payload.rest);
      }
      return;
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return take_ip(all);
    case 197: {
      link::ErfRecord record;
      canvas_.keep(slice(all.captured, 0, link::ErfRecord::kHeader));
      if (read_erf(all, record) != Progress::ok || record.content.captured.empty()) {
        return;
      }
      constexpr size_t kStep = link::ErfRecord::kExtension;
      for (size_t one = link::ErfRecord::kHeader; one + kStep <= canvas_.at(record.content.captured);
           one += kStep) {
        canvas_.keep(all.captured.subspan(one, 1));  // its kind; what it holds names hosts and their cards
      }
      return record.kind == link::ErfRecord::Kind::infiniband ? take_infiniband(record.content)
                                                              : take_ethernet(record.content);
    }
    case 247:
      return take_infiniband(all);
    default:
      return;
  }
}

void Rewriter::take_ethernet(Stretch frame) {
  if (!frame.holds(link::EthernetHeader::size)) {
    return;
  }
  const Bytes header = frame.captured.first(link::EthernetHeader::size);
  canvas_.keep(header);
  addresses_.mac(canvas_.after(header.first(kMac)));
  addresses_.mac(canvas_.after(header.subspan(kMac, kMac)));
  EtherPayload payload;
  if (read_ethernet(frame, payload) == Progress::ok && !payload.rest.captured.empty()) {
    canvas_.keep_between(frame.captured.subspan(header.size()), payload.rest.captured);
    take_ether_type(payload.type, payload.rest);
  }
}

// What a tunnel encloses; its own header begins `from`.
void Rewriter::take_inside(Progress opened, Bytes from, EtherPayload inside) {
  if (opened != Progress::ok || !begins_known(inside) || ++depth_ > link::Decoder::kMaxDepth) {
    return;
  }
  canvas_.keep_between(from, inside.rest.captured);
  if (inside.type == link::ether_type::kBridged) {
    return take_ethernet(inside.rest);
  }
  const Bytes tags = inside.rest.captured;
  if (skip_vlan_tags(inside) == Progress::ok && !inside.rest.captured.empty()) {
    canvas_.keep_between(tags, inside.rest.captured);
    take_ether_type(inside.type, inside.rest);
  }
}

void Rewriter::take_ether_type(uint16_t type, Stretch rest) {
  switch (type) {
    case link::ether_type::kIpv4:
      return take_ip(rest);
    case link::ether_type::kIpv6:
      return rest.captured.empty() || rest.captured[0] >> 4 != 6 ? void() : take_ip(rest);
    case link::ether_type::kRoce1: {
      link::Packet packet;
      take_grh(rest.captured);
      if (read_roce1(rest, packet) != Progress::ok) {
        return;
      }
      return withheld_.withhold(order_, packet.source, packet.destination)
                 ? withhold_grh(canvas_, rest.captured)
                 : rdma_.take(packet);
    }
    case link::ether_type::kMpls:
    case link::ether_type::kMplsUpstream:
      return take_mpls(rest);
    case link::ether_type::kMacControl:
      return canvas_.keep(slice(rest.captured, 0, size_of_control(rest.captured)));
    case kArp:
      return take_arp(rest.captured);
    default:
      return;
  }
}

void Rewriter::take_mpls(Stretch from_label) {
  EtherPayload inside;
  if (read_mpls(from_label, inside) != Progress::ok || !begins_known(inside) ||
      (inside.type == link::ether_type::kIpv4 && !ends_with_frame(inside))) {
    return;
  }
  const size_t labels = canvas_.at(inside.rest.captured) - canvas_.at(from_label.captured);
  write_labels(canvas_, key_, from_label.captured);
  take_inside(Progress::ok, from_label.captured.subspan(labels), inside);
}

// RFC 826, of Ethernet and IPv4: two pairs of addresses behind eight bytes.
void Rewriter::take_arp(Bytes arp) {
  constexpr size_t kFront = 8, kPair = kMac + kIpv4;
  if (arp.size() < kFront + 2 * kPair || arp[4] != kMac || arp[5] != kIpv4) {
    return;
  }
  canvas_.keep(arp.first(kFront));
  for (const size_t pair : {kFront, kFront + kPair}) {
    canvas_.keep(arp.subspan(pair, kPair));
    addresses_.mac(canvas_.after(arp.subspan(pair, kMac)));
    addresses_.ipv4(canvas_.after(arp.subspan(pair + kMac, kIpv4)));
  }
}

void Rewriter::keep_all(std::span<const Bytes> views) {
  for (const Bytes view : views) {
    canvas_.keep(view);
  }
}

void Rewriter::take_grh(Bytes grh) {
  if (grh.size() < link::Grh::size) {
    return;
  }
  canvas_.keep(grh.first(link::Grh::size));
  addresses_.ipv6(canvas_.after(grh.subspan(8, kIpv6)));
  addresses_.ipv6(canvas_.after(grh.subspan(8 + kIpv6, kIpv6)));
}

void Rewriter::take_ip(Stretch datagram) {
  link::IpHeader ip;
  take_ip_header(datagram.captured);
  if (read_ip(datagram, ip) != Progress::ok || ip.payload.captured.empty()) {
    return;
  }
  if (damaged_header(datagram.captured)) {
    return withheld_.lose(order_, canvas_, key_, ip);
  }
  ip.fragment ? void(++fragments_) : take_transport(ip);
}

// As far as it is there: headers, addresses, extension headers.
void Rewriter::take_ip_header(Bytes datagram) {
  if (datagram.size() >= link::Ipv6Header::size && datagram[0] >> 4 == 6) {
    take_grh(datagram);
    const size_t all = link::Ipv6Header::size + wire::big_endian<uint16_t>(datagram.data() + 4);
    return keep_all(extension_fronts(datagram, all, datagram[6], link::Ipv6Header::size));
  }
  if (datagram.size() < link::Ipv4Header::size || datagram[0] >> 4 != 4) {
    return;
  }
  const size_t length = std::min<size_t>((datagram[0] & 15u) * 4, datagram.size());
  const Bytes header = slice(datagram, 0, std::max<size_t>(length, link::Ipv4Header::size));
  constexpr uint8_t kNoOperation = 1;  // in place of any option
  canvas_.fill(header, kNoOperation);
  canvas_.keep(header.first(link::Ipv4Header::size));
  addresses_.ipv4(canvas_.after(header.subspan(12, kIpv4)));
  addresses_.ipv4(canvas_.after(header.subspan(12 + kIpv4, kIpv4)));
  mend(key_, header, canvas_.after(header), {.at = 10});
  const bool first = (datagram[6] & 0x1F) == 0 && datagram[7] == 0;  // of the fragments, or the only one
  if (first && datagram[9] == link::ip_protocol::kAuthentication) {
    const size_t all = wire::big_endian<uint16_t>(datagram.data() + 2);
    keep_all(extension_fronts(datagram, all, datagram[9], header.size()));
  }
}

void Rewriter::take_transport(const link::IpHeader& ip) {
  EtherPayload inside;
  switch (ip.protocol) {
    case link::ip_protocol::kTcp:
      return take_tcp(ip);
    case link::ip_protocol::kUdp:
      return take_udp(ip);
    case link::ip_protocol::kIpv4:
    case link::ip_protocol::kIpv6:
      return ++depth_ <= link::Decoder::kMaxDepth && fits(ip.payload) ? take_ip(ip.payload) : void();
    case link::ip_protocol::kGre: {
      const Progress opened = read_gre(ip.payload, inside);
      take_inside(opened, ip.payload.captured, inside);
      const Bytes gre = ip.payload.captured;
      if (opened != Progress::ok) {
        return;
      }
      clear_gre(canvas_, gre);
      return (gre[0] & 0x80) != 0
                 ? mend(key_, gre, canvas_.after(gre), {.at = 4, .whole = gre.size() >= ip.payload.length})
                 : void();
    }
    case link::ip_protocol::kMpls:
      return take_mpls(ip.payload);
    case link::ip_protocol::kIcmp:
    case link::ip_protocol::kIcmpV6:
      write_icmp(canvas_, addresses_, ip);
      take_ip_header(write_quote(canvas_, ports_, plan_.queue_pairs(), ip));
      return mend_transport(ip, 2);
    default:
      return;
  }
}

void Rewriter::mend_transport(const link::IpHeader& ip, size_t checksum_at) {
  const Bytes before = ip.payload.captured;
  const bool icmp = ip.protocol == link::ip_protocol::kIcmp, tcp = ip.protocol == link::ip_protocol::kTcp;
  mend(key_, before, canvas_.after(before),
       {.at = checksum_at,
        .pseudo_before = icmp ? 0 : pseudo_sum(ip, ip.datagram.captured),
        .pseudo_after = icmp ? 0 : pseudo_sum(ip, canvas_.after(ip.datagram.captured)),
        .length = tcp ? static_cast<uint32_t>(ip.payload.length) : 0,
        .whole = before.size() >= ip.payload.length,
        .left = tcp ? plan_.soundness().left(ip.source, ip.destination) : Internet::Left::nothing});
}

void Rewriter::take_udp(const link::IpHeader& ip) {
  const Bytes datagram = ip.payload.captured;
  link::Packet packet;
  uint16_t port = 0;
  const Progress read = read_udp(ip.payload, packet, port);
  const bool whole = read == Progress::ok;
  const bool known = listed(ports_.roce_ports, port) || listed(ports_.vxlan_ports, port) ||
                     listed(ports_.geneve_ports, port);
  canvas_.keep(shown_of_udp(datagram, read, known));
  if (whole && !packet.payload.empty()) {
    const Stretch data(packet.payload, packet.payload_length);
    EtherPayload inside;
    if (listed(ports_.roce_ports, port)) {
      if (withheld_.withhold(order_, ip.source, ip.destination)) {
        return withhold(canvas_, key_, ip);
      }
      packet.carrier = link::Carrier::roce2;
      packet.source = ip.source;
      packet.destination = ip.destination;
      packet.network = ip.datagram.captured;
      rdma_.take(packet);
    } else if (listed(ports_.vxlan_ports, port)) {
      const Progress opened = read_vxlan(data, inside);
      take_inside(opened, packet.payload, inside);
      clear_vxlan(canvas_, packet.payload);
    } else if (listed(ports_.geneve_ports, port)) {
      const Progress opened = read_geneve(data, inside);
      take_inside(opened, packet.payload, inside);
      clear_geneve(canvas_, packet.payload);
    } else {
      keep_resemblance(packet.payload);
    }
  }
  mend_transport(ip, 6);
}

// Of what looks like RoCE only what makes it look so: numbers of a queue pair and of a packet may be content.
void Rewriter::keep_resemblance(Bytes datagram) {
  const Bytes front = slice(datagram, 0, link::Others::words_of_datagram(datagram));
  canvas_.keep(front);
  canvas_.clear(slice(front, 5, 3));
  canvas_.clear(slice(front, 9, 3));
}

void Rewriter::take_tcp(const link::IpHeader& ip) {
  if (withheld_.withhold(order_, ip.source, ip.destination)) {
    return withhold(canvas_, key_, ip);
  }
  const Bytes segment = ip.payload.captured;
  constexpr size_t kPorts = 4;  // bytes: two of either end; nobody has port 0 (RFC 6335 §6)
  link::Packet packet;
  const Progress read = read_tcp(ip.payload, packet);
  if (read == Progress::malformed ||
      (segment.size() >= kPorts && (wire::big_endian<uint16_t>(segment.data()) == 0 ||
                                    wire::big_endian<uint16_t>(segment.data() + 2) == 0))) {
    return;
  }
  canvas_.keep(slice(segment, 0, link::TcpHeader::size));
  if (read == Progress::ok) {
    packet.source = ip.source;
    packet.destination = ip.destination;
    packet.network = ip.datagram.captured;
    if (soundness_.damaged(packet)) {
      ++damaged_segments_;
      return withheld_.lose(order_, canvas_, key_, ip);
    }
    segments_.take(packet, order_, changed_);
  }
  mend_transport(ip, 16);
}

void Rewriter::take_infiniband(Stretch from_lrh) {
  link::Packet packet;
  const Bytes lrh = slice(from_lrh.captured, 0, link::Lrh::size);
  if (lrh.size() == link::Lrh::size) {
    canvas_.keep(lrh);
    addresses_.lid(canvas_.after(lrh.subspan(2, 2)));
    addresses_.lid(canvas_.after(lrh.subspan(6, 2)));
  }
  if (read_infiniband(from_lrh, packet) != Progress::ok) {
    return;
  }
  const bool withheld = withheld_.withhold(order_, packet.source, packet.destination);
  if (packet.source.kind == base::Address::Kind::gid) {
    const Bytes grh = from_lrh.captured.subspan(link::Lrh::size);
    take_grh(grh);
    return withheld ? withhold_grh(canvas_, grh) : rdma_.take(packet);
  }
  withheld ? withhold_lrh(canvas_, lrh) : rdma_.take(packet);
}

}  // namespace steertag::sanitize
