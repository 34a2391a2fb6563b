// PcapngReader: the block format, draft-ietf-opsawg-pcapng: sections of either
// byte order, each with interfaces of its own, whose link types, snaplens and
// clocks may differ; frames in Enhanced, Simple and the old Packet Blocks, and how many
// were lost before them, as packets or statistics of their interface say. Other
// blocks are skipped, however long they are; those that Wireshark shows as records
// are counted as it counts them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capture/byte_order.h"
#include "capture/reader.h"

namespace steertag::capture {

// Kinds of blocks.
constexpr uint32_t kSectionHeader = 0x0A0D0D0A;
constexpr uint32_t kInterfaceBlock = 1, kOldPacketBlock = 2, kSimplePacketBlock = 3, kStatisticsBlock = 5,
                   kPacketBlock = 6;

constexpr uint32_t kByteOrderMagic = 0x1A2B3C4D;
constexpr size_t kMaxInterfaces = 65536;  // of one section

// The unit of an interface's times.
struct TickRate {
  uint64_t per_second = 1'000'000;
  int64_t offset_s = 0;  // seconds that are added

  int64_t to_ns(uint64_t ticks) const;
  uint64_t from_ns(int64_t time_ns) const;
};

// What the options of an interface description say of it; unset where 64 bits cannot count its ticks.
std::optional<TickRate> tick_rate(ByteOrder order, Bytes options);

constexpr uint32_t kMaxBlock = kMaxFrame + 65536;  // bytes of a block that is read whole
constexpr uint32_t kMaxStatistics = 65536;         // of one of statistics; larger ones are skipped

class PcapngReader final : public Reader {
 public:
  Step next(Bytes unread, Frame& frame) override;
  bool at_boundary() const override { return in_section_ && skip_ == 0; }
  bool more_interfaces() const override { return true; }

 private:
  struct Block {
    uint32_t kind = 0;
    uint32_t length = 0;     // of all of it, bytes
    const uint8_t* body;     // after kind and length
    uint32_t body_size = 0;  // without kind and the two lengths
  };
  Step skip(Bytes unread);
  Step section_header(Bytes unread);
  Step whole(const Block& block, Frame& frame);
  Step interface_block(const Block& block);
  Step statistics_block(const Block& block);
  Step enhanced_packet(const Block& block, Frame& frame);
  Step old_packet(const Block& block, Frame& frame);
  Step simple_packet(const Block& block, Frame& frame);
  Step packet(const Block& block, uint32_t interface, uint64_t ticks, uint32_t captured, uint32_t length,
              Frame& frame);
  Step hand_out(const Block& block, uint32_t interface, uint32_t before, uint32_t captured, uint32_t length,
                Frame& frame);

  ByteOrder order_;
  bool in_section_ = false;
  uint64_t skip_ = 0;  // bytes of a block that are skipped
  void note_dropped(uint32_t interface, uint64_t frames);

  std::vector<TickRate> rates_;    // by interface
  std::vector<uint64_t> dropped_;  // by interface: how many it has been said to have lost
  int64_t last_ns_ = 0;            // time of the latest frame that has one
};

}  // namespace steertag::capture
