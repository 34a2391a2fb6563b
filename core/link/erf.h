// ERF: the records of Endace capture cards, LINKTYPE_ERF (197): a header with
// lengths of its own around an InfiniBand packet or an Ethernet frame.
// The Decoder takes the record's header off and goes on with what is inside.
#pragma once

#include <cstdint>

#include "link/stretch.h"

namespace steertag::link {

struct ErfRecord {
  enum class Kind : uint8_t { ethernet, infiniband };

  static constexpr uint32_t kHeader = 16;  // bytes
  static constexpr uint32_t kExtension =
      8;  // bytes of an extension header; 0x80 in its first: another follows

  Kind kind = Kind::infiniband;
  Stretch content;
};

// Other record types, InfiniBand link packets among them, are Progress::other.
Progress read_erf(Stretch frame, ErfRecord& into);

}  // namespace steertag::link
