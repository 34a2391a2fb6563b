#include <algorithm>
#include <utility>

#include "link/headers.h"
#include "link/internet_checksum.h"
#include "link/others.h"
#include "link/transport.h"
#include "link/tunnel.h"
#include "link/tunnel_headers.h"
#include "sanitize/checksum.h"
#include "sanitize/rewriter.h"
#include "wire/reader.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

namespace {

constexpr uint8_t kIcmp = 1, kIcmpV6 = 58;
constexpr uint8_t kExperiment = 253;  // RFC 3692: what is in it nobody else knows

// Options of TCP whose content tells nothing of anybody: how large segments and windows are, what was
// received, and time stamps. Of others only the length stays.
bool plain_option(uint8_t kind) {
  return kind == 2 || kind == 3 || kind == 4 || kind == 5 || kind == 8;
}

// Bytes of the option at the front; 0: it has a length that it cannot have.
size_t option_length(Bytes options) {
  const uint8_t kind = options[0];
  if (kind < 2) {
    return 1;
  }
  const size_t length = options.size() > 1 ? options[1] : 0;
  const bool right = kind == 2   ? length == 4
                     : kind == 3 ? length == 3
                     : kind == 4 ? length == 2
                     : kind == 5 ? length >= 10 && length % 8 == 2
                     : kind == 8 ? length == 10
                                 : length >= 2;
  return right && length <= options.size() ? length : 0;
}

bool whole_options(Bytes options) {
  while (!options.empty()) {
    const size_t length = option_length(options);
    if (length == 0) {
      return false;
    }
    options = options.subspan(length);
  }
  return true;
}

// Whether the options of neighbour discovery behind that are what they say (RFC 4861 §4.6).
bool whole_neighbour_options(Bytes options) {
  while (!options.empty()) {
    const size_t length = options.size() < 8 ? 0 : options[1] * size_t{8};
    if (length == 0 || length > options.size()) {
      return false;
    }
    options = options.subspan(length);
  }
  return true;
}

// What ERSPAN type III says of a switch and its users in a GRE packet that could be read: the security group
// and all behind the flags, a platform's own header.
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

}  // namespace

void Rewriter::take_transport(const link::IpHeader& ip) {
  EtherPayload inside;
  switch (ip.protocol) {
    case link::ip_protocol::kTcp:
      return take_tcp(ip);
    case link::ip_protocol::kUdp:
      return take_udp(ip);
    case link::ip_protocol::kIpv4:
    case link::ip_protocol::kIpv6:
      return ++depth_ <= link::Decoder::kMaxDepth ? take_ip(ip.payload) : void();
    case link::ip_protocol::kGre: {
      const Progress opened = read_gre(ip.payload, inside);
      take_inside(opened, ip.payload.captured, inside);
      const Bytes gre = ip.payload.captured;
      if (opened == Progress::ok) {
        const auto [group, platform] = mirror_details(gre);
        clear(group);
        clear(platform);
      }
      if (opened == Progress::ok && (gre[0] & 0x80) != 0) {
        mend(key_, gre, after(gre), {.at = 4, .whole = gre.size() >= ip.payload.length});
      }
      return;
    }
    case link::ip_protocol::kMpls:
      return take_mpls(ip.payload);
    case kIcmp:
    case kIcmpV6:
      return take_icmp(ip);
    default:
      return;
  }
}

void Rewriter::mend_transport(const link::IpHeader& ip, size_t checksum_at) {
  const Bytes before = ip.payload.captured;
  const bool icmp = ip.protocol == kIcmp;
  mend(key_, before, after(before),
       {.at = checksum_at,
        .pseudo_before = icmp ? 0 : pseudo_sum(ip, ip.datagram.captured),
        .pseudo_after = icmp ? 0 : pseudo_sum(ip, after(ip.datagram.captured)),
        .whole = before.size() >= ip.payload.length,
        .left_to_adapter = ip.protocol == link::ip_protocol::kTcp &&
                           !soundness_.sound(link::Carrier::tcp, ip.source, ip.destination)});
}

// Whether what these send each other is not shown, from this frame on or since an earlier one.
bool Rewriter::withholds(const base::Address& source, const base::Address& destination) {
  const Hosts hosts = std::minmax(source, destination);
  if (cuts_.contains(order_) && withheld_.insert(hosts).second) {
    if (const auto damaged = damaged_at_.find(hosts); damaged != damaged_at_.end()) {
      earlier_cuts_.insert(damaged->second);
    }
  }
  const bool does = withheld_.contains(hosts);
  withheld_frames_ += does ? 1 : 0;
  return does;
}

void Rewriter::withhold(const link::IpHeader& ip) {
  const Bytes datagram = ip.datagram.captured;
  const size_t fixed = ip.v6 ? link::Ipv6Header::size : datagram.size() - ip.payload.captured.size();
  const std::span<uint8_t> written = after(datagram);
  std::fill(written.begin() + static_cast<ptrdiff_t>(fixed), written.end(), uint8_t{0});
  written[ip.v6 ? 6 : 9] = kExperiment;
  if (!ip.v6) {
    mend(key_, datagram.first(fixed), written.first(fixed), {.at = 10});
  }
}

void Rewriter::withhold_grh(Bytes grh) {
  after(grh)[6] = kExperiment;
}

// What is behind it is said to be raw.
void Rewriter::withhold_lrh(Bytes lrh) {
  after(lrh)[1] &= 0xFC;
}

void Rewriter::take_udp(const link::IpHeader& ip) {
  const Bytes datagram = ip.payload.captured;
  link::Packet packet;
  uint16_t port = 0;
  keep(slice(datagram, 0, link::UdpHeader::size));
  if (read_udp(ip.payload, packet, port) == Progress::ok && !packet.payload.empty()) {
    const Stretch data(packet.payload, packet.payload_length);
    EtherPayload inside;
    if (listed(ports_.roce_ports, port)) {
      if (withholds(ip.source, ip.destination)) {
        return withhold(ip);
      }
      packet.carrier = link::Carrier::roce2;
      packet.source = ip.source;
      packet.destination = ip.destination;
      packet.network = ip.datagram.captured;
      take_rdma(packet);
    } else if (listed(ports_.vxlan_ports, port)) {
      const Progress opened = read_vxlan(data, inside);
      take_inside(opened, packet.payload, inside);
    } else if (listed(ports_.geneve_ports, port)) {
      const Progress opened = read_geneve(data, inside);
      take_inside(opened, packet.payload, inside);
      const Bytes options = slice(packet.payload, link::GeneveHeader::size, (packet.payload[0] & 0x3Fu) * 4);
      clear(options);
    } else {
      keep_resemblance(packet.payload);
    }
  }
  mend_transport(ip, 6);
}

// Of what looks like RoCE only what makes it look so: numbers of a queue pair and of a packet may be content.
void Rewriter::keep_resemblance(Bytes datagram) {
  const Bytes front = slice(datagram, 0, link::Others::words_of_datagram(datagram));
  keep(front);
  clear(slice(front, 5, 3));
  clear(slice(front, 9, 3));
}

void Rewriter::take_tcp(const link::IpHeader& ip) {
  if (withholds(ip.source, ip.destination)) {
    return withhold(ip);
  }
  const Bytes segment = ip.payload.captured;
  link::Packet packet;
  keep(slice(segment, 0, link::TcpHeader::size));
  if (read_tcp(ip.payload, packet) == Progress::ok) {
    packet.source = ip.source;
    packet.destination = ip.destination;
    packet.network = ip.datagram.captured;
    if (soundness_.damaged(packet)) {
      ++damaged_;
      damaged_at_[std::minmax(ip.source, ip.destination)] = order_;
      return withhold(ip);
    }
    const Bytes options = packet.tcp.options;
    if (!whole_options(options)) {
      constexpr uint8_t kNoOperation = 1;
      std::fill(after(options).begin(), after(options).end(), kNoOperation);
    } else {
      for (size_t at = 0; at < options.size();) {
        const size_t length = option_length(options.subspan(at));
        keep(slice(options, at, length == 1 || plain_option(options[at]) ? length : 2));
        at += length;
      }
    }
    take_stream(ip, packet);
  }
  mend_transport(ip, 16);
}

// What a segment carries: of iWARP by the parts of its stream, of anything else nothing.
void Rewriter::take_stream(const link::IpHeader& ip, const link::Packet& segment) {
  const Bytes data = segment.payload;
  const Stream* const stream =
      plan_.find({ip.source, ip.destination, segment.tcp.source_port, segment.tcp.destination_port}, order_);
  if (data.empty() || stream == nullptr || stream->parts.empty()) {
    return keep(slice(data, 0, link::Others::words_of_segment(data)));
  }
  uint64_t& reached = reached_.try_emplace(stream, stream->parts[0].begin).first->second;
  const auto ahead =
      static_cast<int32_t>(segment.tcp.sequence - (stream->base + static_cast<uint32_t>(reached)));
  const int64_t begin = static_cast<int64_t>(reached) + ahead;
  const int64_t end = begin + static_cast<int64_t>(data.size());
  if (end <= 0) {
    return;
  }
  reached = static_cast<uint64_t>(end);
  auto part = std::partition_point(stream->parts.begin(), stream->parts.end(), [&](const Part& p) {
    return static_cast<int64_t>(p.begin + p.size) <= begin;
  });
  uint8_t* const out = after(data).data();
  size_t made = data.size() - 1;  // a byte that is no header's, if there is one
  for (; part != stream->parts.end() && static_cast<int64_t>(part->begin) < end; ++part) {
    const Bytes headers = plan_.headers(*part), image = plan_.image(*part);
    const int64_t first = std::max<int64_t>(begin, static_cast<int64_t>(part->begin));
    const int64_t last = std::min<int64_t>(end, static_cast<int64_t>(part->begin + part->size));
    for (int64_t place = first; place < last; ++place) {
      const auto i = static_cast<uint32_t>(place - static_cast<int64_t>(part->begin));
      const auto in = static_cast<size_t>(place - begin);
      const bool crc = part->has_crc && i + 4 >= part->size;
      const auto plain = crc ? std::nullopt : without_markers(stream->markers, *part, i);
      if (!crc && !plain) {
        out[in] = part->kept != 0 ? shown_marker_byte(stream->markers, *part, i, data, in)
                                  : plan_.blank(part->begin + i);  // it may be no FPDU, and this no marker
      } else if (!crc && *plain < headers.size()) {
        out[in] = headers[*plain];
      } else {
        made = std::min(made, in);
        if (crc) {
          out[in] = static_cast<uint8_t>(part->crc >> (8 * (i + 4 - part->size)));
        } else {
          const uint32_t behind = *plain - part->kept;
          out[in] = behind < image.size() ? image[behind] : plan_.blank(part->begin + i);
        }
      }
    }
  }
  if (changed_) {
    out[made] = static_cast<uint8_t>(~out[made]);
  }
}

// Errors enclose what they are about: that goes. Of an echo and of what could not be delivered, or was too
// large, the four bytes behind the checksum stay, where that is right: the type is certain then. Of neighbour
// discovery (RFC 4861 §4) the target stays, mapped, and what the options are; of a redirect (RFC 792) the
// router, mapped.
void Rewriter::take_icmp(const link::IpHeader& ip) {
  const Bytes message = ip.payload.captured;
  constexpr size_t kFront = 4, kNumbers = 8;
  keep(slice(message, 0, kFront));
  const Bytes numbers = slice(message, kFront, 4);
  const uint8_t type = message.empty() ? 0 : message[0];
  if (ip.protocol == kIcmp && type == 5 && numbers.size() == 4) {
    keep(numbers);
    addresses_.ipv4(after(numbers));
  } else if (ip.protocol == kIcmp && (type == 0 || type == 3 || type == 8 || type == 11) &&
             link::ones_sum(message) == 0xFFFF) {
    keep(numbers);
  } else if (ip.protocol == kIcmpV6 && (type == 135 || type == 136)) {
    keep(slice(numbers, 0, 1));
    take_neighbour(slice(message, kNumbers));
  }
  mend_transport(ip, 2);
}

void Rewriter::take_neighbour(Bytes target) {
  if (target.size() < kIpv6) {
    return;
  }
  keep(target.first(kIpv6));
  addresses_.ipv6(after(target.first(kIpv6)));
  const Bytes options = target.subspan(kIpv6);
  if (!whole_neighbour_options(options)) {
    return;
  }
  for (size_t at = 0; at < options.size(); at += options[at + 1] * size_t{8}) {
    keep(options.subspan(at, 2));
    if (options[at] == 1 || options[at] == 2) {
      keep(options.subspan(at + 2, kMac));
      addresses_.mac(after(options.subspan(at + 2, kMac)));
    }
  }
}

}  // namespace steertag::sanitize
