#include "capture/reader.h"

#include "capture/byte_order.h"
#include "capture/pcap.h"
#include "capture/pcapng.h"

namespace steertag::capture {

std::unique_ptr<Reader> recognise(Bytes start) {
  if (start.size() < kMagicSize) {
    return nullptr;
  }
  if (ByteOrder{.big = true}.u32(start.data()) == kSectionHeader) {  // the same in either order
    return std::make_unique<PcapngReader>();
  }
  for (const bool big : {false, true}) {
    if (const PcapVariant* variant = find_variant(ByteOrder{big}.u32(start.data()))) {
      return std::make_unique<PcapReader>(ByteOrder{big}, *variant);
    }
  }
  return nullptr;
}

}  // namespace steertag::capture
