// Others: counts the traffic of other protocols, so that a report on a capture without
// any RPC-over-RDMA can say what there was instead. It goes by the first few words of a
// TCP segment or datagram, follows nothing, and keeps nothing but numbers.
#pragma once

#include <cstdint>

#include "link/packet.h"

namespace steertag::link {

struct Others {
  uint64_t tcp = 0;       // segments with data, of any kind
  uint64_t nfs_tcp = 0;   // NFS among these: to or from port 2049, or an NFS Call in a record of its own
  uint16_t nfs_port = 0;  // the server's
  uint64_t nvme_tcp = 0;  // NVMe/TCP, by its ports
  uint64_t smb = 0;       // SMB over TCP, by its port
  uint64_t roce = 0;      // datagrams that look like RoCEv2, to a UDP port that is not taken for it
  uint16_t roce_port = 0;

  void note_segment(const Packet& segment);
  void note_datagram(uint16_t destination_port, Bytes payload);

  // How many bytes of its front told what a segment, a datagram is; 0: none.
  static size_t words_of_segment(Bytes payload);
  static size_t words_of_datagram(Bytes payload);
};

}  // namespace steertag::link
