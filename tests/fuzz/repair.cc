#include "repair.h"

#include <algorithm>

#include "base/bytes.h"
#include "link/headers.h"
#include "rdma/iwarp/mpa.h"
#include "rdma/roce/icrc.h"
#include "wire/reader.h"

namespace steertag::fuzz {
namespace {

using Octets = std::vector<uint8_t>;

constexpr size_t kUdpHeader = 8, kTcpHeader = 20, kIcrc = 4, kCrc = 4;
constexpr uint16_t kRocePort = 4791;

uint16_t word(const Octets& frame, size_t at) {
  return wire::big_endian<uint16_t>(frame.data() + at);
}

void put(Octets& frame, size_t at, size_t value) {
  frame[at] = static_cast<uint8_t>(value >> 8);
  frame[at + 1] = static_cast<uint8_t>(value);
}

// RFC 1071.
uint16_t checksum(Bytes header) {
  uint32_t sum = 0;
  for (size_t i = 0; i + 1 < header.size(); i += 2) {
    sum += wire::big_endian<uint16_t>(header.data() + i);
  }
  while (sum > 0xFFFF) {
    sum = (sum & 0xFFFF) + (sum >> 16);
  }
  return static_cast<uint16_t>(~sum);
}

void repair_ip(Octets& frame, const Layers& layers) {
  const size_t length = frame.size() - layers.ip;
  if (layers.v6) {
    put(frame, layers.ip + 4, length - (layers.transport - layers.ip));
    return;
  }
  put(frame, layers.ip + 2, length);
  put(frame, layers.ip + 10, 0);
  put(frame, layers.ip + 10, checksum(Bytes(frame).subspan(layers.ip, layers.transport - layers.ip)));
}

void repair_roce(Octets& frame, const Layers& layers) {
  put(frame, layers.transport + 4, frame.size() - layers.transport);
  if (frame.size() < layers.payload + kIcrc) {
    return;
  }
  frame.resize(frame.size() - kIcrc);
  if (!rdma::roce::append_icrc(link::Carrier::roce2, frame, layers.ip, layers.payload)) {
    frame.resize(frame.size() + kIcrc);
  }
}

// Where one FPDU, without markers, fills the segment; others are left as they are.
void repair_iwarp(Octets& frame, const Layers& layers) {
  const size_t length = frame.size() - layers.payload;
  if (length < 2 + kCrc || length % 4 != 0 || length > UINT16_MAX) {
    return;
  }
  const size_t ulpdu = word(frame, layers.payload);
  if (ulpdu + 2 + kCrc > length || ulpdu + 2 + kCrc + 3 < length) {
    put(frame, layers.payload, length - 2 - kCrc);
  }
  const uint32_t crc = rdma::iwarp::crc32c(Bytes(frame).subspan(layers.payload, length - kCrc));
  for (size_t i = 0; i < kCrc; ++i) {
    frame[frame.size() - kCrc + i] = static_cast<uint8_t>(crc >> (8 * i));
  }
}

}  // namespace

std::optional<Layers> layers_of(const Octets& frame) {
  constexpr size_t kIp = link::EthernetHeader::size;
  if (frame.size() < kIp + 20) {
    return std::nullopt;
  }
  Layers layers{.ip = kIp, .transport = 0, .payload = 0, .v6 = word(frame, 12) == link::ether_type::kIpv6};
  if (!layers.v6 && word(frame, 12) != link::ether_type::kIpv4) {
    return std::nullopt;
  }
  layers.transport = kIp + (layers.v6 ? 40 : size_t{4} * (frame[kIp] & 15));
  if (layers.transport < kIp + 20 || frame.size() < layers.transport + kTcpHeader) {
    return std::nullopt;
  }
  const uint8_t protocol = frame[kIp + (layers.v6 ? 6 : 9)];
  layers.tcp = protocol == link::ip_protocol::kTcp;
  const bool roce = protocol == link::ip_protocol::kUdp && word(frame, layers.transport + 2) == kRocePort;
  layers.payload =
      layers.transport + (layers.tcp ? size_t{4} * (frame[layers.transport + 12] >> 4) : kUdpHeader);
  if ((!layers.tcp && !roce) || layers.payload > frame.size()) {
    return std::nullopt;
  }
  return layers;
}

void repair(Octets& frame) {
  if (const auto layers = layers_of(frame)) {
    repair_ip(frame, *layers);
    layers->tcp ? repair_iwarp(frame, *layers) : repair_roce(frame, *layers);
  }
}

}  // namespace steertag::fuzz
