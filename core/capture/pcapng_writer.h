// PcapngWriter: spells the blocks of a pcapng file (draft-ietf-opsawg-pcapng), the inverse of PcapngReader,
// in either byte order: a section, its interfaces, packets, each with any options. It appends to bytes that
// the caller owns and keeps nothing. The caller names interfaces by their place in the section, and says what
// a tick of their clocks is; who has no clock to copy uses put_interface(), whose tick is a nanosecond.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "capture/byte_order.h"

namespace steertag::capture {

struct PcapngOption {
  // Codes: some mean the same in every block, others depend on it.
  static constexpr uint16_t kEnd = 0, kComment = 1;
  static constexpr uint16_t kApplication = 4;                               // of a section
  static constexpr uint16_t kName = 2, kFilter = 11, kResolution = 9;       // of an interface
  static constexpr uint16_t kPacketDropped = 4;                             // of a packet: lost before it
  static constexpr uint16_t kInterfaceReceived = 4, kInterfaceDropped = 5;  // of statistics
  static constexpr size_t kLongest = UINT16_MAX;                            // bytes; what is longer is cut

  uint16_t code = kComment;
  std::string_view value;
};
using PcapngOptions = std::span<const PcapngOption>;
// As comments; the texts have to stay.
std::vector<PcapngOption> comment_options(std::span<const std::string> comments);

class PcapngWriter {
 public:
  explicit PcapngWriter(std::vector<uint8_t>& out, ByteOrder order = {}) : out_(out), order_(order) {}

  void put_section(PcapngOptions options);
  void put_interface(uint32_t link_type, uint32_t snaplen, PcapngOptions options);  // counts nanoseconds
  struct Packet {
    uint32_t interface = 0;
    uint64_t ticks = 0;
    Bytes bytes;
    uint32_t original_length = 0;
    uint64_t dropped = 0;  // before it
  };
  void put_packet(const Packet& packet, PcapngOptions options);
  void put_statistics(uint32_t interface, uint64_t ticks, uint64_t received, uint64_t dropped);

  // Parts of a block, for who copies the rest of it.
  void put_options(PcapngOptions options);         // without the end of options
  void put_number(uint16_t code, uint64_t value);  // the same, of one whose value is a number
  void put_u16(uint16_t value);
  void put_u32(uint32_t value);
  void put_u64(uint64_t value);
  void put_padded(Bytes bytes);
  // The two lengths of a block that began so far back in the bytes; the first is in place, as anything.
  void end_block(size_t began);

 private:
  std::vector<uint8_t>& out_;
  ByteOrder order_;
};

}  // namespace steertag::capture
