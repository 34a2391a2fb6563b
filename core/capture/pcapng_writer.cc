#include "capture/pcapng_writer.h"

#include <algorithm>

#include "capture/pcapng.h"

namespace steertag::capture {
namespace {

constexpr uint8_t kNanoseconds = 9;  // the negative exponent of ten

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

std::vector<PcapngOption> comment_options(std::span<const std::string> comments) {
  std::vector<PcapngOption> options;
  for (const std::string& comment : comments) {
    options.push_back({PcapngOption::kComment, comment});
  }
  return options;
}

void PcapngWriter::put_u16(uint16_t value) {
  for (const int shift : {0, 8}) {
    out_.push_back(static_cast<uint8_t>(value >> (order_.big ? 8 - shift : shift)));
  }
}

void PcapngWriter::put_u32(uint32_t value) {
  put_u16(static_cast<uint16_t>(order_.big ? value >> 16 : value));
  put_u16(static_cast<uint16_t>(order_.big ? value : value >> 16));
}

void PcapngWriter::put_u64(uint64_t value) {
  put_u32(static_cast<uint32_t>(order_.big ? value >> 32 : value));
  put_u32(static_cast<uint32_t>(order_.big ? value : value >> 32));
}

void PcapngWriter::put_padded(Bytes bytes) {
  out_.insert(out_.end(), bytes.begin(), bytes.end());
  out_.resize(out_.size() + (4 - bytes.size() % 4) % 4);
}

void PcapngWriter::put_options(PcapngOptions options) {
  for (const PcapngOption& option : options) {
    const std::string_view value = option.value.substr(0, PcapngOption::kLongest);
    put_u16(option.code);
    put_u16(static_cast<uint16_t>(value.size()));
    put_padded(bytes_of(value));
  }
}

void PcapngWriter::put_number(uint16_t code, uint64_t value) {
  put_u16(code);
  put_u16(sizeof value);
  put_u64(value);
}

void PcapngWriter::end_block(size_t began) {
  const auto length = static_cast<uint32_t>(out_.size() - began + 4);
  put_u32(length);
  std::copy_n(out_.end() - 4, 4, out_.begin() + static_cast<std::ptrdiff_t>(began) + 4);
}

void PcapngWriter::put_section(PcapngOptions options) {
  const size_t began = out_.size();
  put_u32(kSectionHeader);
  put_u32(0);
  put_u32(kByteOrderMagic);
  put_u16(1);  // version 1.0
  put_u16(0);
  put_u64(UINT64_MAX);  // how long the section is: not known yet
  put_options(options);
  put_u32(PcapngOption::kEnd);
  end_block(began);
}

void PcapngWriter::put_interface(uint32_t link_type, uint32_t snaplen, PcapngOptions options) {
  const size_t began = out_.size();
  put_u32(kInterfaceBlock);
  put_u32(0);
  put_u16(static_cast<uint16_t>(link_type));
  put_u16(0);
  put_u32(snaplen);
  put_options(options);
  const char resolution = kNanoseconds;
  const PcapngOption unit{PcapngOption::kResolution, {&resolution, 1}};
  put_options({&unit, 1});
  put_u32(PcapngOption::kEnd);
  end_block(began);
}

void PcapngWriter::put_packet(const Packet& packet, PcapngOptions options) {
  const size_t began = out_.size();
  put_u32(kPacketBlock);
  put_u32(0);
  put_u32(packet.interface);
  put_u32(static_cast<uint32_t>(packet.ticks >> 32));
  put_u32(static_cast<uint32_t>(packet.ticks));
  put_u32(static_cast<uint32_t>(packet.bytes.size()));
  put_u32(packet.original_length);
  put_padded(packet.bytes);
  put_options(options);
  if (packet.dropped != 0) {
    put_number(PcapngOption::kPacketDropped, packet.dropped);
  }
  if (!options.empty() || packet.dropped != 0) {
    put_u32(PcapngOption::kEnd);
  }
  end_block(began);
}

void PcapngWriter::put_statistics(uint32_t interface, uint64_t ticks, uint64_t received, uint64_t dropped) {
  const size_t began = out_.size();
  put_u32(kStatisticsBlock);
  put_u32(0);
  put_u32(interface);
  put_u32(static_cast<uint32_t>(ticks >> 32));
  put_u32(static_cast<uint32_t>(ticks));
  put_number(PcapngOption::kInterfaceReceived, received);
  put_number(PcapngOption::kInterfaceDropped, dropped);
  put_u32(PcapngOption::kEnd);
  end_block(began);
}

}  // namespace steertag::capture
