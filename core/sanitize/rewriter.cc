#include "sanitize/rewriter.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <utility>

#include "link/cooked.h"
#include "link/erf.h"
#include "link/headers.h"
#include "link/transport.h"
#include "link/tunnel.h"
#include "link/tunnel_headers.h"
#include "sanitize/checksum.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

namespace {

constexpr size_t kIpv4 = 4;  // bytes of an address
constexpr uint16_t kArp = 0x0806;

// Bytes of MAC control that say what it is (IEEE 802.3 annex 31B and 31D): of a pause its opcode and how
// long, of a priority pause that for each class, of anything else the opcode.
size_t size_of_control(Bytes control) {
  constexpr size_t kOpcode = 2, kPause = 4, kPriorityPause = 20;
  const uint32_t opcode = control.size() < kOpcode ? 0 : wire::big_endian<uint16_t>(control.data());
  return opcode == 0x0001 ? kPause : opcode == 0x0101 ? kPriorityPause : kOpcode;
}

}  // namespace

Rewriter::Rewriter(const Key& key, link::Decoder::Options ports, const Plan& plan, std::set<uint64_t> cuts)
    : key_(key.derive('R')), ports_(std::move(ports)), plan_(plan), addresses_(key), cuts_(std::move(cuts)) {}

void Rewriter::rewrite(const Frame& frame, std::vector<uint8_t>& into) {
  ++order_;
  into.resize(frame.bytes.size());
  blank(key_, into);
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
      if (read_loopback(all, payload) == Progress::ok) {
        keep(slice(all.captured, 0, 4));
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

namespace {

// Whether what a tunnel encloses begins as IP, or Ethernet, does: else its header may be longer than it is.
bool begins_known(const EtherPayload& inside) {
  EtherPayload payload = inside;
  if (inside.type == link::ether_type::kBridged && read_ethernet(inside.rest, payload) != Progress::ok) {
    return false;
  }
  link::IpHeader ip;
  switch (payload.type) {
    case link::ether_type::kIpv4:
    case link::ether_type::kIpv6:
      return !payload.rest.captured.empty() && read_ip(payload.rest, ip) == Progress::ok;
    case link::ether_type::kRoce1:
    case link::ether_type::kMpls:
    case link::ether_type::kMplsUpstream:
    case kArp:
      return true;
    default:
      return false;
  }
}

// Whether IP behind labels ends where the frame does, but for its check sequence and, of IPv4, what fills up
// the shortest one. Else it is an Ethernet frame whose first address begins as IP does.
bool ends_with_frame(const EtherPayload& inside) {
  const Bytes ip = inside.rest.captured;
  const bool v6 = ip[0] >> 4 == 6;
  const uint64_t most_behind = v6 ? 4 : 32;  // bytes
  const size_t at = v6 ? 4 : 2;
  if (ip.size() < at + 2 || damaged_header(ip)) {
    return false;
  }
  const uint64_t length = wire::big_endian<uint16_t>(ip.data() + at) + (v6 ? link::Ipv6Header::size : 0u);
  return length <= inside.rest.length && inside.rest.length - length <= most_behind;
}

}  // namespace

// What a tunnel encloses; its own header begins `from`.
void Rewriter::take_inside(Progress opened, Bytes from, EtherPayload inside) {
  if (opened != Progress::ok || !begins_known(inside) || ++depth_ > link::Decoder::kMaxDepth) {
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
      return take_ip(rest);
    case link::ether_type::kIpv6:
      return rest.captured.empty() || rest.captured[0] >> 4 != 6 ? void() : take_ip(rest);
    case link::ether_type::kRoce1: {
      link::Packet packet;
      take_grh(rest.captured);
      if (read_roce1(rest, packet) != Progress::ok) {
        return;
      }
      return withholds(packet.source, packet.destination) ? withhold_grh(rest.captured) : take_rdma(packet);
    }
    case link::ether_type::kMpls:
    case link::ether_type::kMplsUpstream:
      return take_mpls(rest);
    case link::ether_type::kMacControl:
      return keep(slice(rest.captured, 0, size_of_control(rest.captured)));
    case kArp:
      return take_arp(rest.captured);
    default:
      return;
  }
}

// A row of labels, which says only where it ends: each becomes another one, with the same bit for the end. A
// control word behind them becomes zeros.
void Rewriter::take_mpls(Stretch from_label) {
  EtherPayload inside;
  if (read_mpls(from_label, inside) != Progress::ok || !begins_known(inside) ||
      (inside.type == link::ether_type::kIpv4 && !ends_with_frame(inside))) {
    return;
  }
  constexpr uint32_t kReserved = 16, kBottom = 0x100, kTimeToLive = 64;
  link::MplsLabel label;
  for (size_t next = 0; next == 0 || !label.bottom(); next += link::MplsLabel::size) {
    const Bytes entry = from_label.captured.subspan(next, link::MplsLabel::size);
    wire::read(entry, label);
    const auto other = static_cast<uint32_t>(key_.image(entry.first(3)) % ((1 << 20) - kReserved));
    const uint32_t shown = label.label() < kReserved ? label.label() : kReserved + other;
    std::vector<uint8_t> written;
    wire::write(written, link::MplsLabel{shown << 12 | (label.entry & kBottom) | kTimeToLive});
    put(entry, written);
  }
  const size_t labels = at(inside.rest.captured) - at(from_label.captured);
  take_inside(Progress::ok, from_label.captured.subspan(labels), inside);
}

// RFC 826, of Ethernet and IPv4: two pairs of addresses behind eight bytes.
void Rewriter::take_arp(Bytes arp) {
  constexpr size_t kFront = 8, kPair = kMac + kIpv4;
  if (arp.size() < kFront + 2 * kPair || arp[4] != kMac || arp[5] != kIpv4) {
    return;
  }
  keep(arp.first(kFront));
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
  if (read_ip(datagram, ip) != Progress::ok || ip.payload.captured.empty() ||
      damaged_header(datagram.captured)) {
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
    const size_t all = link::Ipv6Header::size + wire::big_endian<uint16_t>(datagram.data() + 4);
    return take_extensions(datagram, all, datagram[6], link::Ipv6Header::size);
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
  const bool first = (datagram[6] & 0x1F) == 0 && datagram[7] == 0;  // of the fragments, or the only one
  if (first && datagram[9] == link::ip_protocol::kAuthentication) {
    const size_t all = wire::big_endian<uint16_t>(datagram.data() + 2);
    take_extensions(datagram, all, datagram[9], header.size());
  }
}

namespace {

struct Extension {
  size_t kept = 0;              // bytes that say what it is, and how long
  size_t length = 0;            // 0: it is none
  bool content_behind = false;  // of a fragment that is not the first one
};

// Where a header of this protocol is, in 8 bytes or more. Its options become padding.
Extension extension(uint8_t protocol, Bytes header) {
  using namespace link::ip_protocol;
  const size_t length = (header[1] + size_t{1}) * 8;
  switch (protocol) {
    case kFragment:
      return {8, 8, header[2] != 0 || header[3] >> 3 != 0};
    case kAuthentication:
      return {2, (header[1] + size_t{2}) * 4};
    case kRouting:
      return {4, length};
    case kHopByHop:
    case kDestination:
    case kMobility:
      return {2, length};
    default:
      return {};
  }
}

// That an IP datagram carries such a thing is known here: a row of headers that leads to it was one.
bool known_content(uint8_t protocol) {
  using namespace link::ip_protocol;
  constexpr uint8_t kIcmp = 1, kEsp = 50, kIcmpV6 = 58, kSctp = 132;
  const auto is = [protocol](auto... known) { return ((protocol == known) || ...); };
  return is(kIcmp, kIpv4, kTcp, kUdp, kIbTransport, kIpv6, kGre, kEsp, kIcmpV6, kNoNext, kSctp, kMpls);
}

}  // namespace

void Rewriter::take_extensions(Bytes datagram, size_t length, uint8_t protocol, size_t begin) {
  constexpr int kMost = 16;
  absl::InlinedVector<Bytes, kMost> row;
  for (size_t at = begin; static_cast<int>(row.size()) < kMost && at + 8 <= datagram.size();) {
    const Bytes header = datagram.subspan(at);
    const Extension one = extension(protocol, header);
    if ((one.length == 0 && !known_content(protocol)) || at + one.length > length) {
      return;  // one of them was none
    }
    if (one.length == 0) {
      break;
    }
    row.push_back(slice(header, 0, one.kept));
    protocol = header[0];
    at += one.length;
    if (one.content_behind) {
      break;
    }
  }
  for (const Bytes header : row) {
    keep(header);
  }
}

}  // namespace steertag::sanitize
