#include "rdma/iwarp/terminate.h"

namespace steertag::rdma::iwarp {

std::string_view terminate_name(uint8_t layer, uint8_t etype, uint8_t code) {
  struct Name {
    uint8_t layer, etype, code;
    std::string_view text;
  };
  static constexpr Name names[] = {
      {0, 1, 0x00, "RDMAP: invalid STag"},
      {0, 1, 0x01, "RDMAP: base or bounds violation"},
      {0, 1, 0x02, "RDMAP: access rights violation"},
      {0, 1, 0x03, "RDMAP: STag not associated with the stream"},
      {0, 1, 0x04, "RDMAP: tagged offset wrap"},
      {0, 1, 0x09, "RDMAP: STag cannot be invalidated"},
      {0, 2, 0x05, "RDMAP: invalid version"},
      {0, 2, 0x06, "RDMAP: unexpected opcode"},
      {0, 2, 0x07, "RDMAP: catastrophic error of the stream"},
      {0, 2, 0x08, "RDMAP: catastrophic error of all streams"},
      {0, 2, 0x09, "RDMAP: STag cannot be invalidated"},
      {1, 1, 0x00, "DDP tagged: invalid STag"},
      {1, 1, 0x01, "DDP tagged: base or bounds violation"},
      {1, 1, 0x02, "DDP tagged: STag not associated with the stream"},
      {1, 1, 0x03, "DDP tagged: tagged offset wrap"},
      {1, 1, 0x04, "DDP tagged: invalid version"},
      {1, 2, 0x01, "DDP untagged: invalid queue number"},
      {1, 2, 0x02, "DDP untagged: no buffer available for the message"},
      {1, 2, 0x03, "DDP untagged: message number out of range"},
      {1, 2, 0x04, "DDP untagged: invalid message offset"},
      {1, 2, 0x05, "DDP untagged: message too long for its buffer"},
      {1, 2, 0x06, "DDP untagged: invalid version"},
      {2, 0, 0x01, "MPA: TCP connection closed or lost"},
      {2, 0, 0x02, "MPA: CRC error"},
      {2, 0, 0x03, "MPA: marker and ULPDU length do not agree"},
      {2, 0, 0x04, "MPA: invalid Request or Reply frame"},
      {2, 0, 0x05, "MPA: local catastrophic error"},
      {2, 0, 0x06, "MPA: insufficient IRD resources"},
      {2, 0, 0x07, "MPA: no matching RTR option"},
  };
  for (const Name& name : names) {
    if (name.layer == layer && name.etype == etype && name.code == code) {
      return name.text;
    }
  }
  return {};
}

}  // namespace steertag::rdma::iwarp
