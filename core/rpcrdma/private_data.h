// The private data with which a version-one peer introduces itself while the
// connection is set up (RFC 8797 §4): whether it takes Send With Invalidate, and
// the sizes of its inline sends and receives. Eight bytes, anywhere inside the
// transport's private data:
//
//     F6 AB 0E 18 | version | flags | send size | receive size
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace steertag::rpcrdma {

inline constexpr uint32_t private_data_identifier = 0xF6AB0E18;
// Receive buffers, in bytes: what every receiver has (RFC 8166 §3.3.3), the most that
// private data can announce (RFC 8797 §4.2), and what every receiver has once
// version two is agreed upon (version-two-02 §2.3).
inline constexpr uint32_t default_inline_threshold = 1024;
inline constexpr uint32_t largest_inline_threshold = 256 * 1024;
inline constexpr uint32_t least_buffer_of_version_two = 4096;

struct PrivateData {
  bool present = false;  // the identifier and all eight bytes were found
  bool cut = false;      // the identifier was found, but the bytes end inside the block
  uint32_t offset = 0;   // of the identifier, bytes
  uint8_t version = 0;

  // As sent where `version` is 1; otherwise what RFC 8797 §4 lets the peer
  // assume when there is no such data.
  bool remote_invalidation = false;
  uint32_t send_size = default_inline_threshold;     // bytes, 1024 … 262144
  uint32_t receive_size = default_inline_threshold;  // bytes, 1024 … 262144
  uint8_t reserved_flags = 0;                        // the seven bits that should be zero, in place

  bool usable() const { return present && version == 1; }
  friend bool operator==(const PrivateData&, const PrivateData&) = default;
};

// Finds the block at any offset. Where the identifier occurs more than once, the
// first whole block of version one counts, else the first whole block.
PrivateData find_private_data(Bytes private_data);

// Appends the eight bytes that say what `data` says; the sizes are rounded down to units of 1024 bytes.
void encode(const PrivateData& data, std::vector<uint8_t>& out);

}  // namespace steertag::rpcrdma
