// What the packed fields of a CM message mean, and what the messages are called.
#include <algorithm>

#include "rdma/roce/cm.h"

namespace steertag::rdma::roce {
namespace {

base::Address address(uint8_t ip_version, Bytes octets) {
  switch (ip_version >> 4) {
    case 4:
      return base::Address::ipv4(octets.last(4));
    case 6:
      return base::Address::ipv6(octets);
    default:
      return {};
  }
}

// IPv4 stands in the last four bytes, zeros in front of it.
std::array<uint8_t, 16> octets(const base::Address& address) {
  std::array<uint8_t, 16> result = address.octets;
  if (address.kind == base::Address::Kind::ipv4) {
    std::fill_n(result.begin(), 12, uint8_t{0});
  }
  return result;
}

// A code of four bits, in the high half of its byte (IBTA vol. 1, §12.7).
uint32_t path_mtu_of(uint8_t field) {
  const int code = field >> 4;
  return code >= 1 && code <= 5 ? 128u << code : 0;
}

}  // namespace

base::Address IpCmHeader::source() const {
  return address(ip_version, source_octets);
}

base::Address IpCmHeader::destination() const {
  return address(ip_version, destination_octets);
}

void IpCmHeader::set(const base::Address& source, const base::Address& destination) {
  ip_version = source.kind == base::Address::Kind::ipv4 ? 0x40 : 0x60;
  source_octets = octets(source);
  destination_octets = octets(destination);
}

uint32_t CmMessage::path_mtu() const {
  return path_mtu_of(req_mtu);
}

// The length of the additional information is in the seven high bits (IBTA vol. 1, §12.6.7.2).
uint32_t CmMessage::offered_path_mtu() const {
  const bool offers =
      attribute == CmAttribute::rej && reject_reason == kInvalidPathMtu && reason_length >> 1 != 0;
  return offers ? path_mtu_of(additional_information[0]) : 0;
}

void CmMessage::set_path_mtu(uint32_t bytes) {
  int code = 1;
  while (code < 5 && 128u << code < bytes) {
    ++code;
  }
  req_mtu = static_cast<uint8_t>(code << 4 | (req_mtu & 0x0F));
}

}  // namespace steertag::rdma::roce
