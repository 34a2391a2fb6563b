// Digest: tells equal bytes of one connection from different ones (FNV-1a).
// Equal bytes have equal digests; nothing here resists an adversary.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace steertag::flow {

inline constexpr uint64_t kDigestSeed = 0xcbf29ce484222325;

inline uint64_t digest(Bytes bytes, uint64_t value = kDigestSeed) {
  for (const uint8_t byte : bytes) {
    value = (value ^ byte) * 0x100000001b3;
  }
  return value;
}

// Of an RPC message without its first word, the XID: what a Requester sends
// again under another XID has the same.
inline uint64_t body_digest(Bytes payload) {
  return digest(slice(payload, 4));
}

}  // namespace steertag::flow
