// The checksums of a frame that was written anew. One that was right is right again. One that was wrong stays
// wrong, and is not to be seen whose bytes it was made of: neither is one that cannot be verified, because
// the capture lacks some of them.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "link/packet.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

// A checksum of the Internet, at offset `at` of `before` and `after`, which are what it covers. `pseudo`:
// what is added to either. `whole`: nothing of it is missing.
struct Internet {
  size_t at = 0;
  uint32_t pseudo_before = 0, pseudo_after = 0;
  uint32_t length = 0;  // bytes of a segment of TCP, whose length `pseudo` has; 0 of anything else
  bool whole = true;
  // What its sender leaves to its adapter. Where that is a part, which one is not to be seen: all become
  // right, since one that is right may be that of the pseudo-header by chance.
  enum class Left : uint8_t { nothing, some, all } left = Left::nothing;
};
void mend(const Key& key, Bytes before, std::span<uint8_t> after, const Internet& sum);

// An ICRC. Both packets are the same but for their bytes.
void mend_icrc(const Key& key, const link::Packet& before, const link::Packet& after, uint8_t* field);

// An Ethernet frame check sequence at the end of a frame; false, and nothing done, where there is none.
bool mend_fcs(Bytes before, std::span<uint8_t> after);

}  // namespace steertag::sanitize
