#include "capture/pcapng.h"

#include <fmt/core.h>

#include <algorithm>

#include "capture/pcapng_writer.h"

namespace steertag::capture {
namespace {

constexpr uint32_t kFrameless = 12;  // bytes of a block without a body: kind, length, length

// Records to Wireshark, and numbered with the frames: the journal of systemd, custom blocks, events of
// sysdig.
bool numbered(uint32_t kind) {
  return kind == 9 || kind == 0xBAD || kind == 0x40000BAD || kind == 0x204 || kind == 0x216 || kind == 0x222;
}

__extension__ using Wide = unsigned __int128;  // ticks of 2^-63 s, in nanoseconds

uint64_t power_of_ten(unsigned exponent) {
  uint64_t value = 1;
  for (; exponent > 0; --exponent) {
    value *= 10;
  }
  return value;
}

// Calls what(code, value) for each option, as long as it returns true; those that run past the end are none.
template <typename What>
void each_option(ByteOrder order, Bytes options, const What& what) {
  for (size_t at = 0; at + 4 <= options.size();) {
    const uint16_t code = order.u16(options.data() + at);
    const uint16_t length = order.u16(options.data() + at + 2);
    const Bytes value = slice(options, at + 4, length);
    if (code == PcapngOption::kEnd || value.size() < length || !what(code, value)) {
      return;
    }
    at += 4 + (size_t{length} + 3) / 4 * 4;
  }
}

// The number in the first of these options that there is; 0: there is none.
uint64_t number_in(ByteOrder order, Bytes options, uint16_t wanted) {
  uint64_t number = 0;
  each_option(order, options, [&](uint16_t code, Bytes value) {
    const bool found = code == wanted && value.size() == sizeof number;
    number = found ? order.u64(value.data()) : 0;
    return !found;
  });
  return number;
}

// False where 64 bits cannot count its ticks.
bool read_option(ByteOrder order, uint16_t code, Bytes value, TickRate& rate) {
  constexpr uint16_t kResolution = 9, kOffset = 14;
  if (code == kOffset && value.size() == 8) {
    constexpr int64_t kFar = int64_t{1} << 40;
    rate.offset_s = std::clamp(static_cast<int64_t>(order.u64(value.data())), -kFar, kFar);
  }
  if (code != kResolution || value.size() != 1) {
    return true;
  }
  const bool binary = (value[0] & 0x80) != 0;
  const unsigned exponent = value[0] & 0x7F;
  if (exponent > (binary ? 63 : 19)) {
    return false;
  }
  rate.per_second = binary ? uint64_t{1} << exponent : power_of_ten(exponent);
  return true;
}

}  // namespace

std::optional<TickRate> tick_rate(ByteOrder order, Bytes options) {
  TickRate rate;
  bool countable = true;
  each_option(order, options, [&](uint16_t code, Bytes value) {
    countable = read_option(order, code, value, rate);
    return countable;
  });
  return countable ? std::optional(rate) : std::nullopt;
}

uint64_t TickRate::from_ns(int64_t time_ns) const {
  constexpr int64_t kBillion = 1'000'000'000;
  const int64_t seconds = std::max<int64_t>(0, time_ns / kBillion - offset_s);
  const auto rest = static_cast<Wide>(time_ns % kBillion) * per_second / kBillion;
  return static_cast<uint64_t>(static_cast<Wide>(seconds) * per_second + rest);
}

int64_t TickRate::to_ns(uint64_t ticks) const {
  constexpr uint64_t kBillion = 1'000'000'000;
  constexpr uint64_t kLate = 1ULL << 40;  // seconds; far beyond any plausible time
  const uint64_t rest = ticks % per_second;
  const uint64_t nanos = rest <= UINT64_MAX / kBillion
                             ? rest * kBillion / per_second
                             : static_cast<uint64_t>(static_cast<Wide>(rest) * kBillion / per_second);
  return nanoseconds(static_cast<int64_t>(std::min(ticks / per_second, kLate)) + offset_s,
                     static_cast<int64_t>(nanos));
}

Step PcapngReader::next(Bytes unread, Frame& frame) {
  if (skip_ != 0) [[unlikely]] {
    return skip(unread);
  }
  if (unread.size() < kFrameless) [[unlikely]] {
    return more(kFrameless);
  }
  const uint8_t* at = unread.data();
  const uint32_t kind = order_.u32(at);
  if (kind == kSectionHeader) [[unlikely]] {
    return section_header(unread);
  }
  const uint32_t length = order_.u32(at + 4);
  if (length < kFrameless || length % 4 != 0) [[unlikely]] {
    return damaged(fmt::format("a block that claims to have {} bytes", length));
  }
  const bool statistics = kind == kStatisticsBlock && length <= kMaxStatistics;
  if (kind != kPacketBlock && kind != kSimplePacketBlock && kind != kOldPacketBlock &&
      kind != kInterfaceBlock && !statistics) [[unlikely]] {
    frames_ += numbered(kind) ? 1 : 0;
    skip_ = length;
    return skip(unread);
  }
  if (length > kMaxBlock) [[unlikely]] {
    return damaged(fmt::format("a block that claims to have {} bytes", length));
  }
  if (unread.size() < length) [[unlikely]] {
    return more(length);
  }
  if (order_.u32(at + length - 4) != length) [[unlikely]] {
    return damaged(
        fmt::format("a block whose two lengths differ: {} and {}", length, order_.u32(at + length - 4)));
  }
  return whole({kind, length, at + 8, length - kFrameless}, frame);
}

Step PcapngReader::whole(const Block& block, Frame& frame) {
  switch (block.kind) {
    case kPacketBlock:
      return enhanced_packet(block, frame);
    case kSimplePacketBlock:
      return simple_packet(block, frame);
    case kOldPacketBlock:
      return old_packet(block, frame);
    case kStatisticsBlock:
      return statistics_block(block);
    default:
      return interface_block(block);
  }
}

Step PcapngReader::skip(Bytes unread) {
  if (unread.empty()) {
    return more(1);
  }
  const uint64_t used = std::min<uint64_t>(skip_, unread.size());
  skip_ -= used;
  return nothing(used);
}

// 0    4      8     12    14    16             24
// kind length magic major minor section length options
Step PcapngReader::section_header(Bytes unread) {
  constexpr uint32_t kSmallest = 28;  // bytes, of all of the block
  const uint8_t* at = unread.data();
  order_.big = ByteOrder{.big = true}.u32(at + 8) == kByteOrderMagic;
  if (order_.u32(at + 8) != kByteOrderMagic) {
    return damaged("a section with an unknown byte order");
  }
  if (unread.size() < kSmallest) {
    return more(kSmallest);
  }
  const uint32_t length = order_.u32(at + 4);
  if (length < kSmallest || length % 4 != 0) {
    return damaged(fmt::format("a section header that claims to have {} bytes", length));
  }
  if (order_.u16(at + 12) != 1) {
    return damaged(fmt::format("version {} of the pcapng format is not read", order_.u16(at + 12)));
  }
  in_section_ = true;
  taps_ += static_cast<uint32_t>(interfaces_.size());
  interfaces_.clear();
  rates_.clear();
  dropped_.clear();
  skip_ = length;
  return skip(unread);
}

// 0         2        4       8
// link type reserved snaplen options
Step PcapngReader::interface_block(const Block& block) {
  if (block.body_size < 8) {
    return damaged("an interface description that is too short");
  }
  if (interfaces_.size() == kMaxInterfaces) {
    return damaged("more interfaces than are read");
  }
  const std::optional<TickRate> rate = tick_rate(order_, Bytes(block.body, block.body_size).subspan(8));
  if (!rate) {
    return damaged("an interface with an unknown unit of time");
  }
  interfaces_.push_back({order_.u16(block.body), order_.u32(block.body + 4)});
  rates_.push_back(*rate);
  dropped_.push_back(0);
  return nothing(block.length);
}

// 0         4          8         12
// interface ticks high ticks low options
// How many its interface has lost since the capture began; what packets have said of it is in that number.
Step PcapngReader::statistics_block(const Block& block) {
  const Bytes body(block.body, block.body_size);
  if (body.size() >= 12 && order_.u32(body.data()) < interfaces_.size()) {
    const uint32_t interface = order_.u32(body.data());
    const uint64_t all = number_in(order_, body.subspan(12), PcapngOption::kInterfaceDropped);
    note_dropped(interface, all - std::min(all, dropped_[interface]));
    quiet_until_ns_ =
        rates_[interface].to_ns(uint64_t{order_.u32(body.data() + 4)} << 32 | order_.u32(body.data() + 8));
  }
  return nothing(block.length);
}

// Before the next frame.
void PcapngReader::note_dropped(uint32_t interface, uint64_t frames) {
  constexpr uint64_t kMost = UINT32_MAX;
  dropped_[interface] += std::min(frames, UINT64_MAX - dropped_[interface]);
  dropped_behind_ = static_cast<uint32_t>(std::min(kMost, dropped_behind_ + std::min(kMost, frames)));
}

// 0         4          8         12       16     20
// interface ticks high ticks low captured length frame, options
Step PcapngReader::enhanced_packet(const Block& block, Frame& frame) {
  if (block.body_size < 20) {
    return damaged("a packet block that is too short");
  }
  const uint8_t* at = block.body;
  return packet(block, order_.u32(at), uint64_t{order_.u32(at + 4)} << 32 | order_.u32(at + 8),
                order_.u32(at + 12), order_.u32(at + 16), frame);
}

// The same, but: 0 interface (2 bytes), 2 drops (2 bytes).
Step PcapngReader::old_packet(const Block& block, Frame& frame) {
  if (block.body_size < 20) {
    return damaged("a packet block that is too short");
  }
  const uint8_t* at = block.body;
  constexpr uint16_t kUnknown = UINT16_MAX;
  const uint16_t drops = order_.u16(at + 2);
  if (drops != 0 && drops != kUnknown && order_.u16(at) < interfaces_.size()) {
    note_dropped(order_.u16(at), drops);
  }
  return packet(block, order_.u16(at), uint64_t{order_.u32(at + 4)} << 32 | order_.u32(at + 8),
                order_.u32(at + 12), order_.u32(at + 16), frame);
}

Step PcapngReader::packet(const Block& block, uint32_t interface, uint64_t ticks, uint32_t captured,
                          uint32_t length, Frame& frame) {
  if (interface >= interfaces_.size()) {
    return damaged(fmt::format("it names interface {}, which was not described", interface));
  }
  if (captured > block.body_size - 20) {
    return damaged(fmt::format("it claims to hold {} bytes", captured));
  }
  last_ns_ = rates_[interface].to_ns(ticks);
  const size_t padded = 20 + (size_t{captured} + 3) / 4 * 4;
  if (block.kind == kPacketBlock && block.body_size > padded) {
    const uint64_t drops =
        number_in(order_, Bytes(block.body, block.body_size).subspan(padded), PcapngOption::kPacketDropped);
    if (drops != 0) {
      note_dropped(interface, drops);
    }
  }
  return hand_out(block, interface, 20, captured, length, frame);
}

// 0      4
// length frame
// It has no time: the latest one is the best guess. It is of the first interface, and as long as that keeps.
Step PcapngReader::simple_packet(const Block& block, Frame& frame) {
  if (block.body_size < 4 || interfaces_.empty()) {
    return damaged(interfaces_.empty() ? "no interface was described" : "a packet block that is too short");
  }
  const uint32_t length = order_.u32(block.body);
  const uint32_t snaplen = interfaces_[0].snaplen;
  uint32_t captured = std::min(length, block.body_size - 4);
  if (snaplen != 0) {
    captured = std::min(captured, snaplen);
  }
  return hand_out(block, 0, 4, captured, length, frame);
}

Step PcapngReader::hand_out(const Block& block, uint32_t interface, uint32_t before, uint32_t captured,
                            uint32_t length, Frame& frame) {
  frame.at.number = ++frames_;
  frame.at.tap = taps_ + interface;
  frame.at.time_ns = last_ns_;
  frame.link_type = interfaces_[interface].link_type;
  frame.bytes = Bytes(block.body + before, captured);
  frame.original_length = std::max(length, captured);
  frame.dropped = dropped_behind_;
  dropped_behind_ = 0;
  return {Step::Kind::frame, block.length, 0};
}

}  // namespace steertag::capture
