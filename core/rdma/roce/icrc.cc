#include "rdma/roce/icrc.h"

#include <algorithm>
#include <array>

#include "base/crc.h"
#include "rdma/roce/bth.h"
#include "rdma/roce/packet.h"

namespace steertag::rdma::roce {
namespace {

// The CRC of the eight 0xFF bytes that stand for an LRH (Annex A17), as
// base::crc32 takes a start value: already inverted.
constexpr uint32_t kAfterLrh = ~uint32_t{0xDEBB20E3};

constexpr size_t kUdpSize = 8;
constexpr size_t kIpv6Size = 40;
constexpr size_t kMaxHeaders = 60 + kUdpSize + Bth::size;  // IPv4 with all options is the longest

// Only the headers have masked fields, so only they are copied.
struct Masked {
  std::array<uint8_t, kMaxHeaders> bytes{};
  void ones(size_t offset, size_t length = 1) { std::fill_n(bytes.begin() + offset, length, uint8_t{0xFF}); }
};

// Traffic class, flow label, hop limit: IPv6 and GRH alike.
void mask_ipv6(Masked& header) {
  header.bytes[0] |= 0x0F;
  header.ones(1, 3);
  header.ones(7);
}

// Sets the changeable fields to ones. False where the headers are not what the
// masking is known for.
bool mask(link::Carrier carrier, size_t bth_offset, Masked& header) {
  const uint8_t version = header.bytes[0] >> 4;
  if (carrier == link::Carrier::roce2 && version == 4) {
    const size_t ip_size = size_t{header.bytes[0] & 0x0Fu} * 4;
    if (ip_size < 20 || bth_offset != ip_size + kUdpSize) {
      return false;
    }
    header.ones(1);      // type of service
    header.ones(8);      // time to live
    header.ones(10, 2);  // header checksum
    header.ones(ip_size + 6, 2);
  } else if (carrier == link::Carrier::roce2 && version == 6) {
    if (bth_offset != kIpv6Size + kUdpSize) {
      return false;
    }
    mask_ipv6(header);
    header.ones(kIpv6Size + 6, 2);
  } else if (carrier == link::Carrier::roce1 && version == 6) {
    if (bth_offset != kIpv6Size) {
      return false;
    }
    mask_ipv6(header);
  } else {
    return false;
  }
  header.ones(bth_offset + 4);  // FECN, BECN and their reserved bits
  return true;
}

// Where the BTH stands in `packet.network`, and how long everything up to the
// ICRC is; empty where the packet was not captured whole.
struct Extent {
  size_t bth_offset;
  size_t covered;
};
std::optional<Extent> extent(const link::Packet& packet) {
  const uint8_t* network_end = packet.network.data() + packet.network.size();
  if (packet.payload.empty() || packet.payload.size() < packet.payload_length ||
      packet.payload_length < kIcrcSize || packet.payload.data() < packet.network.data() ||
      packet.payload.data() + packet.payload_length > network_end) {
    return std::nullopt;
  }
  const auto bth_offset = static_cast<size_t>(packet.payload.data() - packet.network.data());
  return Extent{bth_offset, bth_offset + packet.payload_length - kIcrcSize};
}

}  // namespace

std::optional<uint32_t> icrc(link::Carrier carrier, Bytes covered, size_t bth_offset) {
  const size_t headers = bth_offset + Bth::size;
  if (headers > kMaxHeaders || headers > covered.size()) {
    return std::nullopt;
  }
  Masked header;
  std::copy_n(covered.begin(), headers, header.bytes.begin());
  if (!mask(carrier, bth_offset, header)) {
    return std::nullopt;
  }
  const uint32_t crc = base::crc32(kAfterLrh, Bytes(header.bytes.data(), headers));
  return base::crc32(crc, covered.subspan(headers));
}

std::optional<uint32_t> icrc(const link::Packet& packet) {
  const std::optional<Extent> all = extent(packet);
  return all ? icrc(packet.carrier, packet.network.first(all->covered), all->bth_offset) : std::nullopt;
}

std::optional<uint32_t> stored_icrc(const link::Packet& packet) {
  const std::optional<Extent> all = extent(packet);
  if (!all) {
    return std::nullopt;
  }
  const uint8_t* at = packet.network.data() + all->covered;
  return uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
}

bool append_icrc(link::Carrier carrier, std::vector<uint8_t>& out, size_t network_offset, size_t bth_offset) {
  if (bth_offset < network_offset || bth_offset > out.size()) {
    return false;
  }
  const auto value = icrc(carrier, slice(Bytes(out), network_offset), bth_offset - network_offset);
  if (!value) {
    return false;
  }
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<uint8_t>(*value >> shift));
  }
  return true;
}

}  // namespace steertag::rdma::roce
