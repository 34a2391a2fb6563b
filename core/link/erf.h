// ERF: the records of Endace capture cards, LINKTYPE_ERF (197): a header with
// lengths of its own around an InfiniBand packet or an Ethernet frame.
// The Decoder takes the record's header off and goes on with what is inside.
#pragma once

#include <cstdint>

#include "link/stretch.h"

namespace steertag::link {

struct ErfRecord {
  enum class Kind : uint8_t { ethernet, infiniband };

  Kind kind = Kind::infiniband;
  Stretch content;
};

// Other record types, InfiniBand link packets among them, are Progress::other.
Progress read_erf(Stretch frame, ErfRecord& into);

}  // namespace steertag::link
