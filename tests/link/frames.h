// Hand-made frames for the tests of core/link: small builders that wrap bytes
// in one layer after the other, innermost first.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "frame.h"
#include "link/headers.h"
#include "wire/writer.h"

namespace steertag::link::test {

using Octets = std::vector<uint8_t>;

constexpr std::array<uint8_t, 4> kSource4 = {10, 9, 0, 1};
constexpr std::array<uint8_t, 4> kDestination4 = {10, 9, 0, 2};
constexpr std::array<uint8_t, 16> kSource6 = {0xFD, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::array<uint8_t, 16> kDestination6 = {0xFD, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

inline Octets operator+(Octets a, const Octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// `count` bytes, each different from its neighbours.
inline Octets counting(size_t count, uint8_t start = 0) {
  Octets bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(start + i * 7 + i / 256);
  }
  return bytes;
}

template <typename Header>
Octets before(const Header& header, const Octets& content) {
  Octets bytes;
  wire::write(bytes, header);
  return bytes + content;
}

inline Octets udp(const Octets& content, uint16_t destination_port = 4791) {
  return before(UdpHeader{.source_port = 50000,
                          .destination_port = destination_port,
                          .length = static_cast<uint16_t>(UdpHeader::size + content.size())},
                content);
}

inline Octets tcp(const Octets& content, const Octets& options = {}) {
  return before(TcpHeader{.source_port = 700,
                          .destination_port = 20049,
                          .sequence = 1000,
                          .acknowledgment = 2000,
                          .data_offset = static_cast<uint8_t>((20 + options.size()) / 4 << 4),
                          .flags = 0x12},
                options + content);
}

// `fragment`: DF, MF and offset as on the wire.
inline Octets ipv4(uint8_t protocol, const Octets& content, const Octets& options = {},
                   uint16_t fragment = 0x4000, uint16_t id = 7) {
  const size_t header = 20 + options.size();
  return before(Ipv4Header{.version_and_length = static_cast<uint8_t>(0x40 | header / 4),
                           .total_length = static_cast<uint16_t>(header + content.size()),
                           .id = id,
                           .fragment = fragment,
                           .protocol = protocol,
                           .source = kSource4,
                           .destination = kDestination4},
                options + content);
}

inline Octets ipv6(uint8_t next_header, const Octets& content) {
  return before(Ipv6Header{.payload_length = static_cast<uint16_t>(content.size()),
                           .next_header = next_header,
                           .source = kSource6,
                           .destination = kDestination6},
                content);
}

inline Octets grh(const Octets& content) {
  return ipv6(ip_protocol::kIbTransport, content);
}

inline Octets ethernet(const Octets& content, uint16_t type = ether_type::kIpv4) {
  return before(EthernetHeader{.type = type}, content);
}

// `original_length` 0: nothing was cut.
inline Frame frame(const Octets& bytes, uint32_t link_type = 1, uint32_t original_length = 0,
                   int64_t time_ns = 0) {
  Frame result;
  result.at.time_ns = time_ns;
  result.link_type = link_type;
  result.bytes = bytes;
  result.original_length = original_length != 0 ? original_length : static_cast<uint32_t>(bytes.size());
  return result;
}

inline Octets octets(Bytes bytes) {
  return Octets(bytes.begin(), bytes.end());
}

}  // namespace steertag::link::test
