#include "sanitize/tunnels.h"

#include <optional>
#include <vector>

#include "link/headers.h"
#include "link/ip.h"
#include "link/tunnel_headers.h"
#include "sanitize/soundness.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

bool begins_known(const EtherPayload& inside) {
  EtherPayload payload = inside;
  if (inside.type == link::ether_type::kBridged && read_ethernet(inside.rest, payload) != Progress::ok) {
    return false;
  }
  link::IpHeader ip;
  switch (payload.type) {
    case link::ether_type::kIpv4:
    case link::ether_type::kIpv6:
      return !payload.rest.captured.empty() && !damaged_header(payload.rest.captured) &&
             read_ip(payload.rest, ip) == Progress::ok;
    case link::ether_type::kRoce1:
    case link::ether_type::kMpls:
    case link::ether_type::kMplsUpstream:
    case kArp:
      return true;
    default:
      return false;
  }
}

namespace {

// The length that a datagram of IP says, its header included; unset where that was not captured.
std::optional<uint64_t> said_length(Bytes ip) {
  const bool v6 = !ip.empty() && ip[0] >> 4 == 6;
  const size_t at = v6 ? 4 : 2;
  return ip.size() < at + 2 ? std::nullopt
                            : std::optional<uint64_t>(wire::big_endian<uint16_t>(ip.data() + at) +
                                                      (v6 ? link::Ipv6Header::size : 0u));
}

}  // namespace

bool fits(const link::Stretch& datagram) {
  return said_length(datagram.captured).value_or(0) <= datagram.length;
}

Bytes shown_of_udp(Bytes datagram, Progress read, bool known) {
  constexpr size_t kPorts = 4, kPort = 2;  // bytes
  return read != Progress::malformed
             ? slice(datagram, 0, read == Progress::ok ? link::UdpHeader::size : kPorts)
         : known ? slice(datagram, kPort, kPort)
                 : Bytes();
}

bool ends_with_frame(const EtherPayload& inside) {
  const Bytes ip = inside.rest.captured;
  const uint64_t most_behind = ip[0] >> 4 == 6 ? 4 : 32;  // bytes
  const std::optional<uint64_t> length = said_length(ip);
  return length && !damaged_header(ip) && *length <= inside.rest.length &&
         inside.rest.length - *length <= most_behind;
}

std::pair<Bytes, Bytes> mirror_details(Bytes gre) {
  using link::Erspan3, link::GreHeader;
  GreHeader header;
  Erspan3 mirror;
  wire::read(gre, header);
  size_t at = GreHeader::size;
  for (const uint16_t flag : {GreHeader::kChecksum, GreHeader::kKey, GreHeader::kSequence}) {
    at += header.has(flag) ? 4 : 0;
  }
  if ((header.protocol != link::ether_type::kErspan3 && header.protocol != link::ether_type::kErspan) ||
      wire::read(slice(gre, at), mirror) || mirror.version() != Erspan3::kVersion) {
    return {};
  }
  constexpr size_t kGroup = 8;
  return {slice(gre, at + kGroup, 2),
          slice(gre, at + Erspan3::size, mirror.platform() ? Erspan3::kPlatformSize : 0)};
}

void clear_reserved(const Canvas& canvas, Bytes vxlan) {
  constexpr size_t kGroup = 2, kNextProtocol = 3, kLast = 7;
  const bool tells = !vxlan.empty() && (vxlan[0] & link::VxlanHeader::kProtocol) != 0;
  canvas.clear(slice(vxlan, 1, tells ? kGroup : kNextProtocol));
  canvas.clear(slice(vxlan, kLast, 1));
}

void write_labels(const Canvas& canvas, const Key& key, Bytes from_label) {
  constexpr uint32_t kReserved = 16, kBottom = 0x100, kTimeToLive = 64;
  link::MplsLabel label;
  for (size_t next = 0; next == 0 || !label.bottom(); next += link::MplsLabel::size) {
    const Bytes entry = from_label.subspan(next, link::MplsLabel::size);
    wire::read(entry, label);
    const auto other = static_cast<uint32_t>(key.image(entry.first(3)) % ((1 << 20) - kReserved));
    const uint32_t shown = label.label() < kReserved ? label.label() : kReserved + other;
    std::vector<uint8_t> written;
    wire::write(written, link::MplsLabel{shown << 12 | (label.entry & kBottom) | kTimeToLive});
    canvas.put(entry, written);
  }
}

}  // namespace steertag::sanitize
