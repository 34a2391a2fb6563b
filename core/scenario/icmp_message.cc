#include "scenario/icmp_message.h"

#include <algorithm>

#include "link/headers.h"
#include "link/icmp.h"
#include "link/internet_checksum.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

struct TypeAndCode {
  uint8_t type, code;
};
// By IcmpLine::Kind.
constexpr TypeAndCode kIpv4[] = {{link::icmp_type::kUnreachable, 0},
                                 {link::icmp_type::kUnreachable, 1},
                                 {link::icmp_type::kUnreachable, 2},
                                 {link::icmp_type::kUnreachable, 3},
                                 {link::icmp_type::kUnreachable, link::icmp_type::kTooBigCode},
                                 {link::icmp_type::kUnreachable, 13},
                                 {link::icmp_type::kTimeExceeded, 0}};
constexpr TypeAndCode kIpv6[] = {
    {link::icmp6_type::kUnreachable, 0},      {link::icmp6_type::kUnreachable, 3},
    {link::icmp6_type::kParameterProblem, 1}, {link::icmp6_type::kUnreachable, 4},
    {link::icmp6_type::kTooBig, 0},           {link::icmp6_type::kUnreachable, 1},
    {link::icmp6_type::kTimeExceeded, 0}};

constexpr size_t kMostIpv4 = 576;  // bytes of an error, with its IP header
constexpr size_t kChecksum = 2;    // where it stands

}  // namespace

std::vector<uint8_t> icmp_message(const IcmpLine& line, Bytes about, const NetworkEnds& ends, bool ipv6) {
  const auto kind = static_cast<size_t>(line.kind);
  const auto [type, code] = ipv6 ? kIpv6[kind] : kIpv4[kind];
  const size_t header = ipv6 ? link::Ipv6Header::size : link::Ipv4Header::size;
  const size_t room = (ipv6 ? kMostQuoted : kMostIpv4) - header - link::IcmpHeader::size;
  const size_t quoted = std::min<size_t>(room, line.quotes == 0 ? room : header + line.quotes);
  std::vector<uint8_t> made;
  wire::write(made, link::IcmpHeader{.type = type, .code = code, .rest = line.mtu});
  const Bytes quote = slice(about, 0, quoted);
  made.insert(made.end(), quote.begin(), quote.end());
  uint32_t sum = 0;
  if (ipv6) {  // RFC 4443 §2.3
    sum = link::ones_sum(ends.source.octets, static_cast<uint32_t>(made.size()) + link::ip_protocol::kIcmpV6);
    sum = link::ones_sum(ends.destination.octets, sum);
  }
  const uint32_t checksum = (0xFFFF - link::ones_sum(made, sum)) ^ (line.bad_checksum ? 1 : 0);
  made[kChecksum] = static_cast<uint8_t>(checksum >> 8);
  made[kChecksum + 1] = static_cast<uint8_t>(checksum);
  return made;
}

}  // namespace steertag::scenario
