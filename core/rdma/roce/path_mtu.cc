#include "rdma/roce/path_mtu.h"

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

void PathMtu::propose(uint32_t bytes) {
  if (is_one(bytes)) {
    bytes_ = bytes;
    guessed_ = false;
  }
}

bool PathMtu::guess(uint32_t length, uint32_t psns) {
  uint32_t fitting = 0;  // path MTUs
  uint32_t fits = 0;
  for (uint32_t mtu = kLeast; mtu <= kMost; mtu *= 2) {
    if ((psn_count(length, mtu) & kPsnMask) == psns) {
      ++fitting;
      fits = mtu;
    }
  }
  if (fitting == 0) {
    return false;
  }
  bytes_ = fitting == 1 ? fits : 0;
  guessed_ = true;
  return true;
}

// First and Middle packets are more to be believed than what a REQ proposed. A single one of another size
// than those before it is not.
void PathMtu::learn(const Packet& packet) {
  if (!is_first(packet.opcode) && !is_middle(packet.opcode)) {
    return;
  }
  if (packet.payload_length == bytes_) [[likely]] {
    shown_ = true;
    other_run_ = 0;
    return;
  }
  other_run_ = packet.payload_length == other_ ? other_run_ + 1 : 1;
  other_ = packet.payload_length;
  if (!shown_ || other_run_ >= kPatience) {
    propose(packet.payload_length);
    shown_ = packet.payload_length == bytes_;
  }
}

}  // namespace steertag::rdma::roce
