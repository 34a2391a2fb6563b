// Prediction: headers that need not be read again. Frames of one flow begin with the same
// bytes, but for a few fields that are others in every packet: lengths, identification,
// checksum, UDP source port. So what read_plain() made of one frame is kept, with its first
// bytes; the next one that agrees with them, by one masked comparison, has the same link and
// network headers, and only what differs is looked at.
//
// The Packet is the one that read_plain() would make, but for its `flow`: the number that
// the first frame of the flow was given, by which later stages know their own again, too.
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
  static constexpr size_t kFlows = 256;  // at a time; another one with the same place follows it

  // False where the frame is not of a flow that is known, or `into` is whatever it is.
  bool read(const Frame& frame, Packet& into);
  // What read_plain() made of the same frame, which read() did not know; gives it a number.
  void learn(const Frame& frame, Packet& packet);

 private:
  static constexpr size_t kMost = 64;  // bytes compared: Ethernet, VLAN tag, IPv6 header, ports

  struct Known {
    uint64_t flow = 0;  // 0: none
    std::array<uint64_t, kMost / 8> bytes{}, mask{};
    uint8_t network_at = 0;  // offset in the frame
    base::Address source, destination;
    Routed routed;
    uint32_t way = 0;
  };
  static size_t place_of(Bytes frame);

  std::vector<Known> known_;
  uint64_t flows_ = 0;
};

}  // namespace steertag::link
