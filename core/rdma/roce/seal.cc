#include "rdma/roce/seal.h"

#include <array>
#include <cstring>

#include "base/crc.h"
#include "rdma/crc_shift.h"
#include "rdma/roce/bth.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {
namespace {

// Offsets in an IPv4 header and in a BTH; the UDP header stands right before the BTH.
constexpr size_t kId = 4;
constexpr size_t kUdpHeader = 8;
constexpr size_t kAckRequest = 8;
constexpr size_t kLongest = 60 + kUdpHeader + Bth::size;

template <typename T>
void copy_from(const uint8_t* from, T& to) {
  std::memcpy(&to, from, sizeof(T));
}

bool is_fragment(const uint8_t* ipv4) {
  return ((ipv4[kId + 2] & 0x3F) | ipv4[kId + 3]) != 0;
}

}  // namespace

std::optional<Seal> Seal::of(const link::Packet& packet) {
  const Bytes bytes = packet.payload;
  const auto bth_offset = static_cast<size_t>(bytes.data() - packet.network.data());
  if (packet.carrier != link::Carrier::roce2 || packet.network.empty() ||
      bytes.size() < packet.payload_length || packet.payload_length < Bth::size + kIcrcSize ||
      bth_offset < kId + 4 + kUdpHeader || bth_offset + Bth::size > kLongest) {
    return std::nullopt;
  }
  const uint8_t* const end = bytes.data() + packet.payload_length - kIcrcSize;
  Seal seal;
  seal.covered = static_cast<uint32_t>(bth_offset) + packet.payload_length - static_cast<uint32_t>(kIcrcSize);
  seal.bth_offset = static_cast<uint8_t>(bth_offset);
  if (packet.network[0] >> 4 == 4) {
    if (is_fragment(packet.network.data())) {
      return std::nullopt;
    }
    copy_from(packet.network.data() + kId, seal.id);
  }
  for (uint8_t pad = bytes[1] >> 4 & 3; pad != 0; --pad) {
    if (end[-pad] != 0) {
      return std::nullopt;
    }
  }
  copy_from(bytes.data() - kUdpHeader, seal.source_port);
  copy_from(bytes.data(), seal.bth);
  seal.ack_request = bytes[kAckRequest];
  seal.icrc = uint32_t{end[0]} | uint32_t{end[1]} << 8 | uint32_t{end[2]} << 16 | uint32_t{end[3]} << 24;
  return seal;
}

bool Seal::same_as(const Seal& other) const {
  if (covered != other.covered || bth_offset != other.bth_offset) {
    return false;
  }
  std::array<uint8_t, kLongest> differing{};
  const auto differ = [&](size_t at, auto one, auto another) {
    one ^= another;
    std::memcpy(differing.data() + at, &one, sizeof one);
  };
  differ(kId, id, other.id);
  differ(bth_offset - kUdpHeader, source_port, other.source_port);
  differ(bth_offset, bth, other.bth);
  differ(bth_offset + kAckRequest, ack_request, other.ack_request);
  const size_t headers = bth_offset + kAckRequest + 1;
  // Without what a CRC begins and ends with, which is the same in both.
  const uint32_t crc = ~base::crc32(~uint32_t{0}, Bytes(differing.data(), headers));
  return crc_shifted(crc, covered - headers) == (icrc ^ other.icrc);
}

std::optional<Seal> verified_seal(const link::Packet& packet) {
  const std::optional<Seal> seal = Seal::of(packet);
  return seal && icrc(packet) == stored_icrc(packet) ? seal : std::nullopt;
}

}  // namespace steertag::rdma::roce
