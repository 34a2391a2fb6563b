// LiveOptions: what is asked of a capture that is made here and now, beside what all runs have in common:
// which interface, which of its frames, until when. tap.h makes it; ring.h keeps its frames where that is
// asked for (RingOptions).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace steertag::product {
struct Settings;
}  // namespace steertag::product

namespace steertag::host {

struct LiveOptions {
  std::string interface;  // empty: captures are read
  std::string filter;     // in libpcap's language; empty: capture_filters()
  uint32_t snaplen = 262144;
  uint64_t buffer = 64 << 20;  // bytes, of the kernel's ring
  int64_t duration_ns = 0;     // 0: until it is interrupted
  uint64_t count = 0;          // frames; 0: any number
  bool promiscuous = true;
  bool immediate = false;  // each frame at once, one in each slot of the ring

  explicit operator bool() const { return !interface.empty(); }
};

// Frames that are kept for a while, in files, of which those with a finding stay.
struct RingOptions {
  uint32_t files = 0;             // 0: none
  uint64_t size = 0;              // bytes of each
  std::string prefix;             // of their names
  std::string keep_on = "error";  // from this severity on a finding keeps its file
};

// What is captured where nobody says what: RoCE and NFS/RDMA over iWARP, behind VLAN tags and in fragments,
// and pause frames. The first that the interface's link type allows, each being simpler than the one before;
// the last is empty, and takes all frames. What is in a tunnel is not among it.
std::vector<std::string> capture_filters(const product::Settings& settings);

}  // namespace steertag::host
