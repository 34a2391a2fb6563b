// PcapReader: the classic format, draft-ietf-opsawg-pcap: a header of 24 bytes,
// then records of 16 bytes and a frame. Of its variants, those with nanoseconds
// (magic A1B23C4D), those that libpcap 0.4 with patches left behind (A1B2CD34: 8
// more bytes per record), and those of old versions, which swap the two lengths,
// are read; recognise() picks the variant.
#pragma once

#include <cstdint>

#include "capture/byte_order.h"
#include "capture/reader.h"

namespace steertag::capture {

struct PcapVariant {
  uint32_t magic = 0;
  uint32_t tick_ns = 1000;    // nanoseconds
  uint32_t record_size = 16;  // bytes before a frame
};

// Null where no variant begins so.
const PcapVariant* find_variant(uint32_t magic);

class PcapReader final : public Reader {
 public:
  PcapReader(ByteOrder order, const PcapVariant& variant) : order_(order), variant_(variant) {}

  Step next(Bytes unread, Frame& frame) override;
  bool at_boundary() const override { return !interfaces_.empty(); }
  bool more_interfaces() const override { return false; }

 private:
  Step read_header(Bytes unread);

  ByteOrder order_;
  const PcapVariant& variant_;
  uint32_t minor_ = 4;  // of the format's version 2
  uint32_t most_ = 0;   // bytes that a frame can have
};

}  // namespace steertag::capture
