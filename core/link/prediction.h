// Prediction: saves reading the same headers again. Frames of one flow begin with the same bytes,
// but for a few fields that differ in every packet: lengths, identification, checksum, UDP source
// port. So what read_plain() made of one frame is kept, with its first bytes. A later frame that
// agrees with them, by one masked comparison, has the same link and network headers, and only
// what differs is read.
//
// The Packet is the one that read_plain() would make, except for `flow`: the number that the
// first frame of the flow was given, by which later stages find again what they know of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "frame.h"
#include "link/packet.h"
#include "link/plain.h"

namespace steertag::link {

class Prediction {
 public:
  static constexpr size_t kFlows = 256;  // at a time; one replaces another that has the same place

  // False where the frame is of no known flow; `into` is then unspecified.
  bool read(const Frame& frame, Packet& into);
  // `packet` is what read_plain() made of a frame that read() did not know. Remembers it, and gives it the
  // number of its flow.
  void learn(const Frame& frame, Packet& packet);

 private:
  static constexpr size_t kMost = 64;  // bytes compared: Ethernet, VLAN tag, IPv6 header, ports

  struct Known {
    uint64_t flow = 0;  // 0: none
    std::array<uint64_t, kMost / 8> bytes{}, mask{};
    uint8_t network_at = 0;  // offset in the frame
    base::Address source, destination;
    Routed routed;
    Station station;
    uint32_t way = 0;
    uint8_t priority = Packet::kNoPriority;
  };
  static size_t place_of(Bytes frame);

  std::vector<Known> known_;
  uint64_t flows_ = 0;
};

}  // namespace steertag::link
