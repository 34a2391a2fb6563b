#include "capture/pcap.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace steertag::capture {
namespace {

constexpr size_t kHeaderSize = 24;
constexpr uint32_t kUsualSnaplen =
    262144;  // also where the header claims less: some writers do not keep to it

constexpr std::array<PcapVariant, 3> kVariants = {{
    {0xA1B2C3D4, 1000, 16},
    {0xA1B23C4D, 1, 16},
    {0xA1B2CD34, 1000, 24},  // interface, protocol and packet type after the lengths
}};

}  // namespace

const PcapVariant* find_variant(uint32_t magic) {
  const auto found = std::find_if(kVariants.begin(), kVariants.end(),
                                  [&](const PcapVariant& variant) { return variant.magic == magic; });
  return found == kVariants.end() ? nullptr : &*found;
}

// 0     4     6     8     12      16      20            24
// magic major minor zone  sigfigs snaplen FCS|link type
Step PcapReader::read_header(Bytes unread) {
  if (unread.size() < kHeaderSize) {
    return more(kHeaderSize);
  }
  const uint8_t* at = unread.data();
  const uint16_t major = order_.u16(at + 4);
  if (major != 2) {
    return damaged(fmt::format("version {} of the pcap format is not read", major));
  }
  minor_ = order_.u16(at + 6);
  const uint32_t snaplen = order_.u32(at + 16);
  most_ = std::clamp(snaplen, kUsualSnaplen, kMaxFrame);
  interfaces_.push_back({order_.u32(at + 20) & 0x03FFFFFF, snaplen});  // above it, the length of the FCS
  return nothing(kHeaderSize);
}

// 0       4        8        12     16
// seconds fraction captured length [...] frame
Step PcapReader::next(Bytes unread, Frame& frame) {
  if (interfaces_.empty()) [[unlikely]] {
    return read_header(unread);
  }
  if (unread.size() < variant_.record_size) [[unlikely]] {
    return more(variant_.record_size);
  }
  const uint8_t* at = unread.data();
  uint32_t captured = order_.u32(at + 8);
  uint32_t length = order_.u32(at + 12);
  if (minor_ < 3 || (minor_ == 3 && captured > length)) [[unlikely]] {
    std::swap(captured, length);
  }
  if (captured > most_) [[unlikely]] {
    return damaged(fmt::format("it claims to hold {} bytes", captured));
  }
  const size_t size = size_t{variant_.record_size} + captured;
  if (unread.size() < size) [[unlikely]] {
    return more(size);
  }
  frame.at.number = ++frames_;
  frame.at.tap = 0;
  frame.at.time_ns = nanoseconds(order_.u32(at), int64_t{order_.u32(at + 4)} * variant_.tick_ns);
  frame.link_type = interfaces_.front().link_type;
  frame.bytes = unread.subspan(variant_.record_size, captured);
  frame.original_length = std::max(length, captured);
  frame.dropped = 0;
  return {Step::Kind::frame, size, 0};
}

}  // namespace steertag::capture
