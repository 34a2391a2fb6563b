#include "sanitize/icmp.h"

#include <algorithm>
#include <vector>

#include "link/headers.h"
#include "link/icmp.h"
#include "link/internet_checksum.h"
#include "rdma/roce/bth.h"

namespace steertag::sanitize {
namespace {

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

// Whether a message of this IP begins so: what is of the other IP, or of a type or code that none has (RFC
// 792, RFC 4443, RFC 4861), may be anything.
bool begins_message(const link::IpHeader& ip) {
  constexpr uint8_t kMostOfV4 = 18, kMostErrorOfV6 = 4, kFirstOfV6 = 128, kMostOfV6 = 161, kMostCode = 15;
  const Bytes front = slice(ip.payload.captured, 0, 2);
  if (front.size() < 2 || ip.v6 == (ip.protocol == link::ip_protocol::kIcmp) || front[1] > kMostCode) {
    return false;
  }
  const uint8_t type = front[0];
  return ip.v6 ? (type >= 1 && type <= kMostErrorOfV6) || (type >= kFirstOfV6 && type <= kMostOfV6)
               : type <= kMostOfV4;
}

bool keeps_numbers(uint8_t type) {
  namespace v4 = link::icmp_type;
  return type == v4::kEcho || type == v4::kEchoReply || type == v4::kUnreachable || type == v4::kTimeExceeded;
}

void write_neighbour(const Canvas& canvas, AddressMap& addresses, Bytes target) {
  if (target.size() < kIpv6) {
    return;
  }
  canvas.keep(target.first(kIpv6));
  addresses.ipv6(canvas.after(target.first(kIpv6)));
  const Bytes options = target.subspan(kIpv6);
  if (!whole_neighbour_options(options)) {
    return;
  }
  for (size_t at = 0; at < options.size(); at += options[at + 1] * size_t{8}) {
    canvas.keep(options.subspan(at, 2));
    if (options[at] == 1 || options[at] == 2) {
      canvas.keep(options.subspan(at + 2, kMac));
      addresses.mac(canvas.after(options.subspan(at + 2, kMac)));
    }
  }
}

}  // namespace

void write_icmp(const Canvas& canvas, AddressMap& addresses, const link::IpHeader& ip) {
  namespace v4 = link::icmp_type;
  namespace v6 = link::icmp6_type;
  const bool is_v4 = ip.protocol == link::ip_protocol::kIcmp;
  const Bytes message = ip.payload.captured;
  constexpr size_t kFront = 4;
  if (!begins_message(ip)) {
    return;
  }
  canvas.keep(slice(message, 0, kFront));
  const Bytes numbers = slice(message, kFront, 4);
  const uint8_t type = message.empty() ? 0 : message[0];
  if (is_v4 && type == v4::kRedirect && numbers.size() == 4) {
    canvas.keep(numbers);
    addresses.ipv4(canvas.after(numbers));
  } else if (is_v4 && keeps_numbers(type) && link::ones_sum(message) == 0xFFFF) {
    canvas.keep(numbers);
  } else if (!is_v4 && (type == v6::kNeighbourSolicitation || type == v6::kNeighbourAdvertisement)) {
    canvas.keep(slice(numbers, 0, 1));
    write_neighbour(canvas, addresses, slice(message, link::IcmpHeader::size));
  }
}

Bytes write_quote(const Canvas& canvas, const link::Decoder::Options& ports, const QueuePairs& queue_pairs,
                  const link::IpHeader& ip) {
  link::IcmpError error;
  if (ip.payload.captured.size() < ip.payload.length || !read_icmp(ip, error)) {
    return {};
  }
  if (error.mtu != 0) {
    canvas.keep(slice(ip.payload.captured, 4, 4));
  }
  const Bytes quoted = slice(ip.payload.captured, link::IcmpHeader::size);
  link::IpHeader inside;
  read_ip({quoted, quoted.size()}, inside);
  const Bytes front = inside.payload.captured;
  constexpr size_t kPortsAndNumber = 8, kPortsAndLength = 6;
  if (error.quote.protocol == link::ip_protocol::kTcp) {
    canvas.keep(slice(front, 0, kPortsAndNumber));
    return quoted;
  }
  canvas.keep(slice(front, 0, kPortsAndLength));
  const std::vector<uint16_t>& roce = ports.roce_ports;
  const bool to_roce = std::find(roce.begin(), roce.end(), error.quote.destination_port) != roce.end();
  if (to_roce && queue_pairs.accounts_for(error.quote.source, error.quote.destination, error.quote.data)) {
    canvas.keep(slice(error.quote.data, 0, rdma::roce::Bth::size));
  }
  return quoted;
}

}  // namespace steertag::sanitize
