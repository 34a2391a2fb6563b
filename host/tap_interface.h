// TapInterface: an interface that is open for capturing, by libpcap: in promiscuous mode where that is
// wanted, with the filter, and times in nanoseconds where it has them. It never waits for a frame: poll the
// descriptor. What the kernel has is handed out at the latest kBlockMs after it came.
//
// libpcap's immediate mode hands out each frame at once, but its ring then has slots of the largest frame
// that is possible: 256 of them in 64 MiB, which is 2.5 ms of 100,000 frames a second. So it has to be asked
// for.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <string>

#include "host/tap_process.h"

namespace steertag::host {

class TapInterface {
 public:
  static constexpr int kBlockMs = 4;

  // Throws Failure, whose words name what is to be done.
  explicit TapInterface(const TapSettings& settings);

  pcap_t* get() { return pcap_.get(); }
  int descriptor() const { return descriptor_; }
  uint32_t link_type() const { return link_type_; }
  int64_t tick_ns() const { return tick_ns_; }  // of the fractions of seconds in its times
  uint64_t dropped();                           // frames, so far
  int64_t patience_ms(int64_t most) const;      // for how long polling may take, so that nothing is missed
  std::string error();                          // why nothing more can be had

 private:
  struct Close {
    void operator()(pcap_t* pcap) const { pcap_close(pcap); }
  };
  void activate();
  void set_filter(const TapSettings& settings);

  const LiveOptions& live_;
  std::unique_ptr<pcap_t, Close> pcap_;
  int descriptor_ = -1;
  uint32_t link_type_ = 0;
  int64_t tick_ns_ = 1000;
  uint64_t dropped_ = 0;
  uint32_t counted_ = 0;  // by libpcap, which begins anew after 2^32
};

}  // namespace steertag::host
