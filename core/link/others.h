// Others: the traffic of other protocols, counted, so that a capture without any
// RPC-over-RDMA can say what there was instead. A few words at the front of a TCP
// segment or a datagram show it; nothing is followed, and nothing is kept but numbers.
#pragma once

#include <cstdint>

#include "link/packet.h"

namespace steertag::link {

struct Others {
  uint64_t tcp = 0;       // segments with data, of any kind
  uint64_t nfs_tcp = 0;   // of these, with NFS: to or from port 2049, or a Call of NFS in a record of its own
  uint16_t nfs_port = 0;  // the server's
  uint64_t nvme_tcp = 0;  // NVMe/TCP, by its ports
  uint64_t smb = 0;       // SMB over TCP, by its port
  uint64_t roce = 0;      // datagrams to a UDP port that is not RoCEv2's, which look like it
  uint16_t roce_port = 0;

  void note_segment(const Packet& segment);
  void note_datagram(uint16_t destination_port, Bytes payload);
};

}  // namespace steertag::link
