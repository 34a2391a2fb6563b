// PcapngFile: frames of a trace, written as a pcapng: one section, an interface for each place where they
// were captured, with its link type and snaplen; times in nanoseconds. It writes into an Output, which takes
// a name when all is there.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "capture/pcapng_writer.h"
#include "frame.h"
#include "host/output.h"

namespace steertag::host {

class PcapngFile {
 public:
  // `comment`: of the section.
  PcapngFile(Output& output, std::string_view comment);

  // The interface of the file that stands for where a frame was captured: one for each tap, link type and
  // snaplen.
  uint32_t interface(const Stamp& at, uint32_t link_type, uint32_t snaplen);
  struct Packet {
    uint32_t interface = 0;
    int64_t time_ns = 0;
    Bytes bytes;
    uint32_t original_length = 0;
    uint32_t dropped = 0;  // Frame::dropped
    std::span<const std::string> comments = {};
  };
  void put(const Packet& packet);
  // No more packets come; so many were lost behind the last one (Reader::dropped_behind()).
  void finish(uint64_t dropped_behind);
  uint64_t packets() const { return packets_; }

 private:
  void write();

  Output& output_;
  std::vector<uint8_t> block_;
  capture::PcapngWriter writer_{block_};
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> interfaces_;
  // By interface: what was written, and how many packets it has said to be lost.
  struct Count {
    uint64_t packets = 0, dropped = 0;
  };
  std::vector<Count> counts_;
  uint32_t last_ = 0;    // interface of the latest packet
  int64_t last_ns_ = 0;  // its time
  uint64_t packets_ = 0;
};

}  // namespace steertag::host
