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

namespace {

// Of the first byte there, other bits become zeros.
void keep_bits(const Canvas& canvas, Bytes view, uint8_t bits) {
  if (!view.empty()) {
    canvas.after(view)[0] &= bits;
  }
}

void clear_mirror(const Canvas& canvas, Bytes erspan) {
  using link::Erspan2, link::Erspan3;
  constexpr size_t kAt = 4, kClockAndGroup = 6;  // bytes: where the session ends
  Erspan3 mirror;
  if (!erspan.empty() && erspan[0] >> 4 == Erspan2::kVersion) {
    canvas.clear(slice(erspan, kAt, 1));  // with four bits of the next: reserved, in front of the index
    keep_bits(canvas, slice(erspan, kAt + 1), 0x0F);
  } else if (!wire::read(erspan, mirror) && mirror.version() == Erspan3::kVersion) {
    canvas.clear(slice(erspan, kAt, kClockAndGroup));
    canvas.clear(slice(erspan, Erspan3::size, mirror.platform() ? Erspan3::kPlatformSize : 0));
  }
}

}  // namespace

void clear_gre(const Canvas& canvas, Bytes gre) {
  using link::GreHeader;
  constexpr size_t kOptional = 4, kReserved = 2;  // bytes
  GreHeader header;
  wire::read(gre, header);
  keep_bits(canvas, gre, 0xF0);
  keep_bits(canvas, slice(gre, 1), 0x07);
  if (header.has(GreHeader::kChecksum)) {
    canvas.clear(slice(gre, GreHeader::size + kOptional - kReserved, kReserved));
  }
  size_t at = GreHeader::size;
  for (const uint16_t flag : {GreHeader::kChecksum, GreHeader::kKey, GreHeader::kSequence}) {
    at += header.has(flag) ? kOptional : 0;
  }
  // Without a sequence number it is ERSPAN of type I, which has no header.
  if (header.protocol == link::ether_type::kErspan3 ||
      (header.protocol == link::ether_type::kErspan && header.has(GreHeader::kSequence))) {
    clear_mirror(canvas, slice(gre, at));
  }
}

void clear_vxlan(const Canvas& canvas, Bytes vxlan) {
  constexpr size_t kGroup = 2, kNextProtocol = 3, kLast = 7;
  const bool tells = !vxlan.empty() && (vxlan[0] & link::VxlanHeader::kProtocol) != 0;
  keep_bits(canvas, vxlan, 0x80 | link::VxlanHeader::kNetwork | link::VxlanHeader::kProtocol);
  canvas.clear(slice(vxlan, 1, tells ? kGroup : kNextProtocol));
  canvas.clear(slice(vxlan, kLast, 1));
}

void clear_geneve(const Canvas& canvas, Bytes geneve) {
  constexpr size_t kFlags = 1, kLast = 7;
  link::GeneveHeader header;
  wire::read(geneve, header);
  keep_bits(canvas, slice(geneve, kFlags), 0xC0);
  canvas.clear(slice(geneve, kLast, 1u + header.options_length()));
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
