#include "link/tunnel.h"

#include "link/headers.h"
#include "link/tunnel_headers.h"

namespace steertag::link {
namespace {

constexpr uint32_t kOptionSize = 4;  // bytes of each that the flags of GRE announce

EtherPayload enclosed(uint16_t type, const Stretch& rest, uint64_t name) {
  return EtherPayload{type, rest, {}, mixed(0, name)};
}

// draft-foschiano-erspan §4.1: without a sequence number it is type I, and the frame follows at once.
Progress read_erspan(const Stretch& stretch, EtherPayload& inside) {
  Erspan2 header;
  if (const Progress progress = read_header(stretch, header); progress != Progress::ok) {
    return progress;
  }
  if (header.version() == Erspan2::kVersion) {
    inside = enclosed(ether_type::kBridged, stretch.after(Erspan2::size), header.session & 0x3FFu);
    return Progress::ok;
  }
  Erspan3 third;
  if (header.version() != Erspan3::kVersion) {
    return Progress::other;
  }
  if (const Progress progress = read_header(stretch, third); progress != Progress::ok) {
    return progress;
  }
  const uint32_t length = Erspan3::size + (third.platform() ? Erspan3::kPlatformSize : 0);
  if (!stretch.holds(length)) {
    return missing(stretch, length);
  }
  const bool ip = third.frame_type() == Erspan3::kIp;
  if (!ip && third.frame_type() != Erspan3::kEthernet) {
    return Progress::other;
  }
  inside =
      enclosed(ip ? ether_type::kIpv4 : ether_type::kBridged, stretch.after(length), third.session & 0x3FFu);
  return Progress::ok;
}

bool looks_like_ip(const Stretch& rest) {
  Ipv4Header four;
  Ipv6Header six;
  switch (rest.captured.empty() ? 0 : rest.captured[0] >> 4) {
    case 4:
      return read_header(rest, four) == Progress::ok && four.header_length() >= Ipv4Header::size &&
             four.total_length >= four.header_length() && four.total_length <= rest.length;
    case 6:
      return read_header(rest, six) == Progress::ok &&
             uint64_t{Ipv6Header::size} + six.payload_length <= rest.length;
    default:
      return false;
  }
}

// An Ethernet frame with something in it that concerns us.
bool looks_like_ethernet(const Stretch& rest) {
  EtherPayload payload;
  if (read_ethernet(rest, payload) != Progress::ok) {
    return false;
  }
  const bool cut = payload.rest.captured.empty();
  const uint32_t version = cut ? 0 : payload.rest.captured[0] >> 4;
  switch (payload.type) {
    case ether_type::kIpv4:
      return version == 4 || cut;
    case ether_type::kIpv6:
    case ether_type::kRoce1:
      return version == 6 || cut;
    case ether_type::kMpls:
    case ether_type::kMplsUpstream:
      return true;
    default:
      return false;
  }
}

}  // namespace

Progress read_gre(Stretch from_gre, EtherPayload& inside) {
  GreHeader header;
  if (const Progress progress = read_header(from_gre, header); progress != Progress::ok) {
    return progress;
  }
  if (header.version() != 0 || header.has(GreHeader::kRouting)) {
    return Progress::other;  // PPTP; a field that RFC 2784 has taken away
  }
  uint32_t at = GreHeader::size;
  uint64_t key = 0;
  for (const uint16_t flag : {GreHeader::kChecksum, GreHeader::kKey, GreHeader::kSequence}) {
    if (!header.has(flag)) {
      continue;
    }
    if (!from_gre.holds(at + kOptionSize)) {
      return missing(from_gre, at + kOptionSize);
    }
    key = flag == GreHeader::kKey ? wire::big_endian<uint32_t>(from_gre.captured.data() + at) : key;
    at += kOptionSize;
  }
  const Stretch rest = from_gre.after(at);
  const bool numbered = header.has(GreHeader::kSequence);
  if (header.protocol == ether_type::kErspan3 || (header.protocol == ether_type::kErspan && numbered)) {
    return read_erspan(rest, inside);
  }
  inside =
      enclosed(header.protocol == ether_type::kErspan ? ether_type::kBridged : header.protocol, rest, key);
  return Progress::ok;
}

Progress read_vxlan(Stretch from_vxlan, EtherPayload& inside) {
  VxlanHeader header;
  if (const Progress progress = read_header(from_vxlan, header); progress != Progress::ok) {
    return progress;
  }
  if ((header.flags & VxlanHeader::kNetwork) == 0) {
    return Progress::other;
  }
  uint16_t type = ether_type::kBridged;
  if ((header.flags & VxlanHeader::kProtocol) != 0) {
    switch (header.reserved & 0xFF) {
      case 1:
      case 2:
        type = ether_type::kIpv4;  // read_ip() tells the versions apart
        break;
      case 3:
        break;
      case 5:
        type = ether_type::kMpls;
        break;
      default:
        return Progress::other;
    }
  }
  inside = enclosed(type, from_vxlan.after(VxlanHeader::size), header.network);
  return Progress::ok;
}

Progress read_geneve(Stretch from_geneve, EtherPayload& inside) {
  GeneveHeader header;
  if (const Progress progress = read_header(from_geneve, header); progress != Progress::ok) {
    return progress;
  }
  if (header.version() != 0 || header.control()) {
    return Progress::other;
  }
  const uint32_t length = GeneveHeader::size + header.options_length();
  if (!from_geneve.holds(length)) {
    return missing(from_geneve, length);
  }
  inside = enclosed(header.protocol, from_geneve.after(length), header.network);
  return Progress::ok;
}

Progress read_mpls(Stretch from_label, EtherPayload& inside) {
  MplsLabel label;
  Stretch rest = from_label;
  uint64_t name = 0;
  for (int count = 0; !label.bottom() || count == 0; ++count) {
    if (count == kMaxLabels) {
      return Progress::other;
    }
    if (const Progress progress = read_header(rest, label); progress != Progress::ok) {
      return progress;
    }
    name = name * 31 + label.label();
    rest = rest.after(MplsLabel::size);
  }
  if (!rest.holds(1)) {
    return missing(rest, 1);
  }
  // RFC 4928 §3, RFC 4385 §3: a first nibble of 4 or 6 is that of IP, 0 that of a control word. An
  // Ethernet address may begin with either where no control word is used.
  const uint8_t nibble = rest.captured[0] >> 4;
  const bool explicit_null = label.label() == MplsLabel::kIpv4 || label.label() == MplsLabel::kIpv6;
  if (explicit_null ||
      ((nibble == 4 || nibble == 6) && (looks_like_ip(rest) || !looks_like_ethernet(rest)))) {
    inside = enclosed(ether_type::kIpv4, rest, name);
    return Progress::ok;
  }
  const Stretch behind = rest.after(kControlWordSize);
  const bool control_word = nibble == 0 && (looks_like_ethernet(behind) || !looks_like_ethernet(rest));
  inside = enclosed(ether_type::kBridged, control_word ? behind : rest, name);
  return Progress::ok;
}

}  // namespace steertag::link
