#include "sanitize/rewriter.h"

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/headers.h"
#include "link/transport.h"
#include "link/tunnel.h"
#include "sanitize/checksum.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

namespace {

constexpr size_t kMac = 6, kIpv4 = 4, kIpv6 = 16;  // bytes of an address
constexpr uint16_t kArp = 0x0806;
constexpr size_t kPause = 20;  // bytes of the longest pause, behind the EtherType

}  // namespace

Rewriter::Rewriter(const Key& key, link::Decoder::Options ports, const Plan& plan)
    : key_(key.derive('R')), ports_(std::move(ports)), plan_(plan), addresses_(key) {}

void Rewriter::rewrite(const Frame& frame, std::vector<uint8_t>& into) {
  ++order_;
  into.assign(frame.bytes.size(), 0);
  before_ = frame.bytes;
  changed_ = plan_.changed(frame.at);
  after_ = &into;
  depth_ = 0;
  take_link(frame);
  for (size_t i = 0; i < into.size(); ++i) {
    overwritten_ += into[i] != before_[i] ? 1 : 0;
  }
}

void Rewriter::keep(Bytes view) {
  std::copy(view.begin(), view.end(), after(view).begin());
}

void Rewriter::keep_between(Bytes from, Bytes to) {
  keep(to.empty() ? from : from.first(at(to) - at(from)));
}

void Rewriter::put(Bytes view, Bytes bytes) {
  const size_t fits = std::min(view.size(), bytes.size());
  std::copy_n(bytes.begin(), fits, after(view).begin());
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
        mend_fcs(before_, *after_);
      }
      return;
    case 113:
    case 276: {
      const size_t size = frame.link_type == 113 ? 16 : 20, address = frame.link_type == 113 ? 6 : 12;
      if (!all.holds(size)) {
        return;
      }
      keep(all.captured.first(size));
      addresses_.mac(after(all.captured.subspan(address, kMac)));
      std::fill_n(after_->begin() + static_cast<ptrdiff_t>(address + kMac), 2, uint8_t{0});
      const Progress read =
          frame.link_type == 113 ? read_cooked_v1(all, payload) : read_cooked_v2(all, payload);
      return read == Progress::ok && !payload.rest.captured.empty()
                 ? (keep_between(all.captured.subspan(size), payload.rest.captured),
                    take_ether_type(payload.type, payload.rest))
                 : void();
    }
    case 0:
    case 108:
      keep(slice(all.captured, 0, 4));
      return read_loopback(all, payload) == Progress::ok ? take_ether_type(payload.type, payload.rest)
                                                         : void();
    case 12:
    case 14:
    case 101:
    case 228:
    case 229:
      return take_ip(all);
    case 197: {
      link::ErfRecord record;
      keep(slice(all.captured, 0, link::ErfRecord::kHeader));
      if (read_erf(all, record) != Progress::ok || record.content.captured.empty()) {
        return;
      }
      constexpr size_t kStep = link::ErfRecord::kExtension;
      for (size_t one = link::ErfRecord::kHeader; one + kStep <= at(record.content.captured); one += kStep) {
        keep(all.captured.subspan(one, 1));  // its kind; what it holds names hosts and their cards
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
  keep(header);
  addresses_.mac(after(header.first(kMac)));
  addresses_.mac(after(header.subspan(kMac, kMac)));
  EtherPayload payload;
  if (read_ethernet(frame, payload) == Progress::ok && !payload.rest.captured.empty()) {
    keep_between(frame.captured.subspan(header.size()), payload.rest.captured);
    take_ether_type(payload.type, payload.rest);
  }
}

// What a tunnel encloses; its own header begins `from`.
void Rewriter::take_inside(Progress opened, Bytes from, EtherPayload inside) {
  if (opened != Progress::ok || inside.rest.captured.empty() || ++depth_ > link::Decoder::kMaxDepth) {
    return;
  }
  keep_between(from, inside.rest.captured);
  if (inside.type == link::ether_type::kBridged) {
    return take_ethernet(inside.rest);
  }
  const Bytes tags = inside.rest.captured;
  if (skip_vlan_tags(inside) == Progress::ok && !inside.rest.captured.empty()) {
    keep_between(tags, inside.rest.captured);
    take_ether_type(inside.type, inside.rest);
  }
}

void Rewriter::take_ether_type(uint16_t type, Stretch rest) {
  switch (type) {
    case link::ether_type::kIpv4:
    case link::ether_type::kIpv6:
      return take_ip(rest);
    case link::ether_type::kRoce1: {
      link::Packet packet;
      take_grh(rest.captured);
      return read_roce1(rest, packet) == Progress::ok ? take_rdma(packet) : void();
    }
    case link::ether_type::kMpls:
    case link::ether_type::kMplsUpstream: {
      EtherPayload inside;
      const Progress opened = read_mpls(rest, inside);
      return take_inside(opened, rest.captured, inside);
    }
    case link::ether_type::kMacControl:
      return keep(slice(rest.captured, 0, kPause));
    case kArp:
      return take_arp(rest.captured);
    default:
      return;
  }
}

// RFC 826, of Ethernet and IPv4: two pairs of addresses behind eight bytes.
void Rewriter::take_arp(Bytes arp) {
  constexpr size_t kFront = 8, kPair = kMac + kIpv4;
  keep(slice(arp, 0, kFront));
  if (arp.size() < kFront + 2 * kPair || arp[4] != kMac || arp[5] != kIpv4) {
    return;
  }
  for (const size_t pair : {kFront, kFront + kPair}) {
    keep(arp.subspan(pair, kPair));
    addresses_.mac(after(arp.subspan(pair, kMac)));
    addresses_.ipv4(after(arp.subspan(pair + kMac, kIpv4)));
  }
}

void Rewriter::take_grh(Bytes grh) {
  if (grh.size() < link::Grh::size) {
    return;
  }
  keep(grh.first(link::Grh::size));
  addresses_.ipv6(after(grh.subspan(8, kIpv6)));
  addresses_.ipv6(after(grh.subspan(8 + kIpv6, kIpv6)));
}

void Rewriter::take_ip(Stretch datagram) {
  link::IpHeader ip;
  take_ip_header(datagram.captured);
  if (read_ip(datagram, ip) != Progress::ok || ip.payload.captured.empty()) {
    return;
  }
  if (ip.fragment) {
    ++fragments_;
    return;
  }
  take_transport(ip);
}

// As far as it is there: headers, addresses, extension headers.
void Rewriter::take_ip_header(Bytes datagram) {
  if (datagram.size() >= link::Ipv6Header::size && datagram[0] >> 4 == 6) {
    take_grh(datagram);
    return take_extensions(datagram, datagram[6], link::Ipv6Header::size, datagram.size());
  }
  if (datagram.size() < link::Ipv4Header::size || datagram[0] >> 4 != 4) {
    return;
  }
  const size_t length = std::min<size_t>((datagram[0] & 15u) * 4, datagram.size());
  const Bytes header = slice(datagram, 0, std::max<size_t>(length, link::Ipv4Header::size));
  constexpr uint8_t kNoOperation = 1;  // in place of any option
  std::fill(after(header).begin(), after(header).end(), kNoOperation);
  keep(header.first(link::Ipv4Header::size));
  addresses_.ipv4(after(header.subspan(12, kIpv4)));
  addresses_.ipv4(after(header.subspan(12 + kIpv4, kIpv4)));
  mend(key_, header, after(header), {.at = 10});
  take_extensions(datagram, datagram[9], header.size(), datagram.size());
}

// Of each the part that says what it is and how long. Options become padding.
void Rewriter::take_extensions(Bytes datagram, uint8_t protocol, size_t at, size_t end) {
  using namespace link::ip_protocol;
  constexpr int kMost = 16;
  for (int i = 0; i < kMost && at + 8 <= end; ++i) {
    const Bytes header = datagram.subspan(at);
    size_t kept = 2, length = (header[1] + size_t{1}) * 8;
    switch (protocol) {
      case kFragment:
        kept = length = 8;
        break;
      case kAuthentication:
        kept = 12;
        length = (header[1] + size_t{2}) * 4;
        break;
      case kRouting:
        kept = 4;
        break;
      case kHopByHop:
      case kDestination:
      case kMobility:
        break;
      default:
        return;
    }
    keep(slice(header, 0, kept));
    protocol = header[0];
    at += length;
  }
}

}  // namespace steertag::sanitize
