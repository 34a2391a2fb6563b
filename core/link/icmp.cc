#include "link/icmp.h"

#include "link/headers.h"
#include "link/internet_checksum.h"
#include "link/stretch.h"

namespace steertag::link {
namespace {

constexpr size_t kLeastQuoted = 8;  // bytes behind the IP header: RFC 792

bool is_error(bool version_six, uint8_t type) {
  if (version_six) {
    return type >= icmp6_type::kUnreachable && type <= icmp6_type::kParameterProblem;
  }
  return type == icmp_type::kUnreachable || type == icmp_type::kTimeExceeded ||
         type == icmp_type::kParameterProblem;
}

uint32_t mtu_of(bool version_six, const IcmpHeader& header) {
  if (version_six) {
    return header.type == icmp6_type::kTooBig ? header.rest : 0;
  }
  const bool too_big = header.type == icmp_type::kUnreachable && header.code == icmp_type::kTooBigCode;
  return too_big ? header.rest & 0xFFFF : 0;
}

bool damaged(const IpHeader& ip) {
  const Stretch& message = ip.payload;
  if (message.captured.size() < message.length) {
    return false;  // not known
  }
  const uint32_t pseudo = ip.v6 ? pseudo_sum(ip, ip.datagram.captured) : 0;
  return ones_sum(message.captured, pseudo) != 0xFFFF;
}

// The first words of a TCP and of a UDP header, which any quote has.
bool read_quote(Stretch quoted, bool version_six, IcmpError::Quote& into) {
  IpHeader ip;
  if (read_ip(quoted, ip) != Progress::ok || ip.v6 != version_six || !ip.payload.holds(kLeastQuoted) ||
      (ip.fragment && ip.fragment->offset != 0)) {
    return false;
  }
  into.source = ip.source;
  into.destination = ip.destination;
  into.protocol = ip.protocol;
  into.id = ip.routed.id;
  const uint8_t* const front = ip.payload.captured.data();
  into.source_port = wire::big_endian<uint16_t>(front);
  into.destination_port = wire::big_endian<uint16_t>(front + 2);
  if (ip.protocol == ip_protocol::kTcp) {
    into.sequence = wire::big_endian<uint32_t>(front + 4);
    return true;
  }
  into.udp_length = wire::big_endian<uint16_t>(front + 4);
  into.data = slice(ip.payload.captured, UdpHeader::size);
  return ip.protocol == ip_protocol::kUdp;
}

}  // namespace

bool read_icmp(const IpHeader& ip, IcmpError& into) {
  const bool version_six = ip.protocol == ip_protocol::kIcmpV6;
  IcmpHeader header;
  if (version_six != ip.v6 || ip.fragment || read_header(ip.payload, header) != Progress::ok ||
      !is_error(version_six, header.type) || damaged(ip)) {
    return false;
  }
  into.by = ip.source;
  into.version_six = version_six;
  into.type = header.type;
  into.code = header.code;
  into.mtu = mtu_of(version_six, header);
  // It goes to the sender of what it quotes.
  return read_quote(ip.payload.after(IcmpHeader::size), version_six, into.quote) &&
         into.quote.source == ip.destination;
}

std::optional<IcmpError> icmp_error(const Packet& packet) {
  IpHeader ip;
  IcmpError error;
  if (packet.carrier != Carrier::icmp ||
      read_ip({packet.network, packet.network.size()}, ip) != Progress::ok || !read_icmp(ip, error)) {
    return std::nullopt;
  }
  return error;
}

}  // namespace steertag::link
