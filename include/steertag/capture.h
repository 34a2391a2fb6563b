// Frames, and where they come from. A program that captures itself, or has a reader of its own, fills in a
// Frame for each packet. CaptureReader finds the frames in the bytes of a pcap or pcapng file that is in
// memory.
#pragma once

#include <steertag/version.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace steertag::v0 {

struct Frame {
  int64_t time_ns = 0;     // since the epoch
  uint32_t link_type = 1;  // LINKTYPE_ value: 1 is Ethernet
  std::span<const uint8_t> bytes =
      {};                        // as captured; yours: it has to stay until the call that takes it returns
  uint32_t original_length = 0;  // bytes on the wire; less than bytes.size(): as many as were captured
  uint32_t dropped = 0;          // frames that are known to have been lost right before this one
  uint32_t interface = 0;        // which one saw it, where a capture has several
};

class CaptureReader {
 public:
  // `file`: all bytes of a capture, which have to stay for as long as its frames are used. Nothing is copied.
  explicit CaptureReader(std::span<const uint8_t> file);
  ~CaptureReader();
  CaptureReader(CaptureReader&& other) noexcept;
  CaptureReader& operator=(CaptureReader&& other) noexcept;

  // Fills in the next frame; false where there is none any more. Its bytes are a part of the file's.
  bool next(Frame& frame);
  // Once next() has returned false: why it ended early, in one line; empty where the file was read to its
  // end.
  const std::string& error() const;
  // Then, too: whether the file merely ends in the middle of a frame.
  bool truncated() const;
  // Frames that are known to have been lost behind the last one.
  uint32_t dropped_behind() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace steertag::v0
