// Soundness: tells which packets were damaged after their sender had made their checksum. No field of such a
// packet is certain: a wrong port or sequence number makes content look like a header. A host that leaves
// checksums to its adapter, or makes none, is not judged.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <tuple>

#include "base/address.h"
#include "base/bytes.h"
#include "link/packet.h"
#include "sanitize/checksum.h"

namespace steertag::sanitize {

// Whether an IPv4 header at the front has a wrong checksum, or options and none: then it may be shorter than
// it says, and what is behind it elsewhere, or of another protocol.
bool damaged_header(Bytes datagram);

// Remembers which hosts make right checksums.
class Soundness {
 public:
  static constexpr size_t kMost = 65536;  // pairs of hosts that it remembers

  // Whether the ICRC, or the checksum of TCP, is wrong, and an earlier one of the same sender to the same
  // host was right; or the header of IP is damaged. False where bytes are missing from the capture.
  bool damaged(const link::Packet& packet);
  // Whether a packet of that sender to that host has had a right one, this one among them.
  bool sound(const link::Packet& packet) const {
    return sound_.contains({packet.carrier, packet.source, packet.destination});
  }
  // Which checksums of TCP to this host its sender leaves to its adapter, as far as is known; all, where none
  // was right.
  Internet::Left left(const base::Address& from, const base::Address& to) const {
    const Way way(link::Carrier::tcp, from, to);
    return !sound_.contains(way)    ? Internet::Left::all
           : leaving_.contains(way) ? Internet::Left::some
                                    : Internet::Left::nothing;
  }
  size_t bytes() const {  // of the heap
    return (sound_.capacity() + leaving_.capacity()) * sizeof(Way);
  }

 private:
  // From, to. An adapter may make every ICRC right, and leave the checksum of TCP to another.
  using Way = std::tuple<link::Carrier, base::Address, base::Address>;
  enum class Sum : uint8_t { unknown, right, wrong, left };  // left: to the adapter
  static Sum judge(const link::Packet& packet);
  static Sum judge_tcp(const link::Packet& segment);

  absl::flat_hash_set<Way> sound_, leaving_;
};

}  // namespace steertag::sanitize
