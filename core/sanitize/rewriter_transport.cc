#include <algorithm>
#include <utility>

#include "link/headers.h"
#include "link/others.h"
#include "link/transport.h"
#include "link/tunnel.h"
#include "link/tunnel_headers.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "sanitize/checksum.h"
#include "sanitize/mad.h"
#include "sanitize/rewriter.h"

namespace steertag::sanitize {

using link::EtherPayload;
using link::Progress;

namespace {

constexpr uint8_t kIcmp = 1, kIcmpV6 = 58;

// The sum of the addresses in an IP header, before or after.
uint32_t addresses_of(Bytes datagram, bool v6) {
  return v6 ? ones_sum(slice(datagram, 8, 32)) : ones_sum(slice(datagram, 12, 8));
}

// Options of TCP whose content tells nothing of anybody: how large segments and windows are, what was
// received, and time stamps. Of others only the length stays.
bool plain_option(uint8_t kind) {
  return kind == 2 || kind == 3 || kind == 4 || kind == 5 || kind == 8;
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
      if (opened == Progress::ok && (gre[0] & 0x80) != 0) {
        mend(key_, gre, after(gre), {.at = 4, .whole = gre.size() >= ip.payload.length});
      }
      return;
    }
    case link::ip_protocol::kMpls: {
      const Progress opened = read_mpls(ip.payload, inside);
      return take_inside(opened, ip.payload.captured, inside);
    }
    case kIcmp:
    case kIcmpV6:
      return take_icmp(ip);
    default:
      return;
  }
}

void Rewriter::mend_transport(const link::IpHeader& ip, size_t checksum_at) {
  const Bytes before = ip.payload.captured;
  const auto length = static_cast<uint32_t>(ip.payload.length);
  const uint32_t rest = (length >> 16) + (length & 0xFFFF) + ip.protocol;
  const auto pseudo = [&](Bytes datagram) { return ones_sum({}, addresses_of(datagram, ip.v6) + rest); };
  const bool icmp = ip.protocol == kIcmp;
  mend(key_, before, after(before),
       {.at = checksum_at,
        .pseudo_before = icmp ? 0 : pseudo(ip.datagram.captured),
        .pseudo_after = icmp ? 0 : pseudo(after(ip.datagram.captured)),
        .whole = before.size() >= ip.payload.length});
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
      packet.carrier = link::Carrier::roce2;
      packet.network = ip.datagram.captured;
      take_rdma(packet);
    } else if (listed(ports_.vxlan_ports, port)) {
      const Progress opened = read_vxlan(data, inside);
      take_inside(opened, packet.payload, inside);
    } else if (listed(ports_.geneve_ports, port)) {
      const Progress opened = read_geneve(data, inside);
      take_inside(opened, packet.payload, inside);
      const Bytes options = slice(packet.payload, link::GeneveHeader::size, (packet.payload[0] & 0x3Fu) * 4);
      std::fill(after(options).begin(), after(options).end(), uint8_t{0});
    } else {
      keep(slice(packet.payload, 0, link::Others::words_of_datagram(packet.payload)));
    }
  }
  mend_transport(ip, 6);
}

void Rewriter::take_tcp(const link::IpHeader& ip) {
  const Bytes segment = ip.payload.captured;
  link::Packet packet;
  keep(slice(segment, 0, link::TcpHeader::size));
  if (read_tcp(ip.payload, packet) == Progress::ok) {
    const Bytes options = packet.tcp.options;
    for (size_t at = 0; at < options.size();) {
      const uint8_t kind = options[at];
      const size_t length = kind < 2 ? 1 : at + 1 < options.size() ? std::max<size_t>(options[at + 1], 2) : 1;
      keep(slice(options, at, kind < 2 || plain_option(kind) ? length : 2));
      at += length;
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
  uint8_t* made = nullptr;  // the first byte that is not copied
  for (; part != stream->parts.end() && static_cast<int64_t>(part->begin) < end; ++part) {
    const Bytes image = plan_.image(*part);
    const int64_t first = std::max<int64_t>(begin, static_cast<int64_t>(part->begin));
    const int64_t last = std::min<int64_t>(end, static_cast<int64_t>(part->begin + part->size));
    for (int64_t place = first; place < last; ++place) {
      const auto i = static_cast<uint32_t>(place - static_cast<int64_t>(part->begin));
      const auto in = static_cast<size_t>(place - begin);
      const bool crc = part->has_crc && i + 4 >= part->size;
      const auto plain = crc ? std::nullopt : without_markers(stream->markers, *part, i);
      if (!crc && (!plain || *plain < part->kept)) {
        out[in] = data[in];
        continue;
      }
      if (crc) {
        out[in] = static_cast<uint8_t>(part->crc >> (8 * (i + 4 - part->size)));
      } else if (*plain - part->kept < image.size()) {
        out[in] = image[*plain - part->kept];
      }
      made = made == nullptr ? out + in : made;
    }
  }
  if (changed_ && made != nullptr) {
    *made = static_cast<uint8_t>(~*made);
  }
}

// Errors enclose what they are about: that goes. Of neighbour discovery (RFC 4861 §4) the target stays,
// mapped, and what the options are.
void Rewriter::take_icmp(const link::IpHeader& ip) {
  const Bytes message = ip.payload.captured;
  constexpr size_t kFront = 8, kTarget = kFront + 16;
  keep(slice(message, 0, kFront));
  const bool neighbours = ip.protocol == kIcmpV6 && (message[0] == 135 || message[0] == 136);
  if (neighbours && message.size() >= kTarget) {
    keep(message.subspan(kFront, 16));
    addresses_.ipv6(after(message.subspan(kFront, 16)));
    for (size_t at = kTarget; at + 8 <= message.size();) {
      const size_t length = std::max<size_t>(message[at + 1], 1) * 8;
      keep(message.subspan(at, 2));
      if (message[at] == 1 || message[at] == 2) {
        keep(message.subspan(at + 2, 6));
        addresses_.mac(after(message.subspan(at + 2, 6)));
      }
      at += length;
    }
  } else if (ip.protocol == kIcmpV6) {  // of router discovery, the kinds of options alone are not worth it
    std::fill(after(slice(message, 4, 4)).begin(), after(slice(message, 4, 4)).end(), uint8_t{0});
  }
  mend_transport(ip, 2);
}

void Rewriter::take_infiniband(Stretch from_lrh) {
  link::Packet packet;
  const Bytes lrh = slice(from_lrh.captured, 0, link::Lrh::size);
  if (lrh.size() == link::Lrh::size) {
    keep(lrh);
    addresses_.lid(after(lrh.subspan(2, 2)));
    addresses_.lid(after(lrh.subspan(6, 2)));
  }
  if (read_infiniband(from_lrh, packet) != Progress::ok) {
    return;
  }
  if (packet.source.kind == base::Address::Kind::gid) {
    take_grh(from_lrh.captured.subspan(link::Lrh::size));
  }
  take_rdma(packet);
}

// From the BTH on. Numbers of queue pairs and packets, addresses in memory and their keys stay.
void Rewriter::take_rdma(link::Packet packet) {
  namespace roce = rdma::roce;
  roce::Packet read;
  const Bytes all = packet.payload;
  if (all.empty() || !roce::decode(all, packet.payload_length, read)) {
    return;
  }
  keep(slice(all, 0, std::min(roce::header_size(read.opcode), packet.payload_length)));
  if (read.atomic) {
    const Bytes operands = slice(all, roce::Bth::size + 12, 16);
    std::fill(after(operands).begin(), after(operands).end(), uint8_t{0});
  }
  if (!read.payload.empty()) {
    roce::is_mad(read) ? put(read.payload, sanitize_mad(read.payload, key_, addresses_))
                       : put(read.payload, plan_.image_of(read.payload));
  }
  if (packet.payload_length >= roce::kIcrcSize && all.size() >= packet.payload_length) {
    link::Packet written = packet;
    written.network = after(packet.network);
    written.payload = after(packet.payload);
    mend_icrc(key_, packet, written, after(all).data() + packet.payload_length - roce::kIcrcSize);
  }
}

}  // namespace steertag::sanitize
