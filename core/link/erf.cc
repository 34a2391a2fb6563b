#include "link/erf.h"

namespace steertag::link {
namespace {

struct ErfHeader {
  static constexpr uint32_t size = ErfRecord::kHeader;

  uint64_t timestamp = 0;
  uint8_t type = 0;  // 0x80: extension headers follow
  uint8_t flags = 0;
  uint16_t record_length = 0;  // bytes as captured, this header included
  uint16_t loss_or_color = 0;
  uint16_t wire_length = 0;  // bytes of the content on the wire

  static void layout(auto& w, auto& s) {
    w.hex("timestamp", s.timestamp);
    w.hex("type", s.type);
    w.hex("flags", s.flags);
    w("record_length", s.record_length);
    w("loss_or_color", s.loss_or_color);
    w("wire_length", s.wire_length);
  }
};

constexpr uint32_t kEthernetPad = 2;  // bytes in front of an Ethernet frame

// Record types that hold an Ethernet frame, and those that hold InfiniBand.
bool holds_ethernet(uint8_t type) {
  return type == 2 || type == 11 || type == 16 || type == 20;
}
bool holds_infiniband(uint8_t type) {
  return type == 21;
}

}  // namespace

Progress read_erf(Stretch frame, ErfRecord& into) {
  ErfHeader header;
  if (const Progress progress = read_header(frame, header); progress != Progress::ok) {
    return progress;
  }
  const uint8_t type = header.type & 0x7F;
  if (!holds_ethernet(type) && !holds_infiniband(type)) {
    return Progress::other;
  }
  if (header.record_length < ErfHeader::size) {
    return Progress::malformed;
  }
  uint64_t at = ErfHeader::size;
  for (uint8_t more = header.type; (more & 0x80) != 0; at += ErfRecord::kExtension) {
    if (!frame.holds(at + ErfRecord::kExtension)) {
      return missing(frame, at + ErfRecord::kExtension);
    }
    more = frame.captured[at];
  }
  at += holds_ethernet(type) ? kEthernetPad : 0;
  // Behind the content the record may be padded to a multiple of eight bytes.
  const Bytes record = slice(frame.captured, 0, header.record_length);
  into.kind = holds_ethernet(type) ? ErfRecord::Kind::ethernet : ErfRecord::Kind::infiniband;
  into.content = Stretch(slice(record, at, header.wire_length), header.wire_length);
  return Progress::ok;
}

}  // namespace steertag::link
