// Reader: finds the frames in the bytes of a capture file. It is a function of
// these bytes: it opens nothing, copies nothing, and keeps only what the file's
// header says about its interfaces. The owner of the bytes passes those that were
// not yet used, as long as there are more:
//
//   for (;;) {
//     const Step step = reader->next(unread, frame);
//     unread = slice(unread, step.used);
//     ...                                          // by step.kind
//   }
//
// A frame's bytes are a view of `unread`. pcap.h and pcapng.h are the formats.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "frame.h"

namespace steertag::capture {

constexpr uint32_t kMaxFrame = 16 << 20;  // bytes of a frame, whatever a header claims

struct Interface {
  uint32_t link_type = 0;  // LINKTYPE_ value
  uint32_t snaplen = 0;    // bytes kept of each frame; 0: all
};

struct Step {
  enum class Kind : uint8_t {
    frame,    // this is the next one
    nothing,  // something was read that is not a frame: a header, a block of another kind
    more,     // `needed` bytes have to be there at a time; nothing was used
    damaged,  // from here on it makes no sense; Reader::damage() says why
  };
  Kind kind = Kind::nothing;
  size_t used = 0;    // bytes at the front that are done with
  size_t needed = 0;  // with `more`
};

class Reader {
 public:
  virtual ~Reader() = default;

  // Fills in `frame` except for the number of its file. Its tap is the number of its interface, through all
  // sections.
  virtual Step next(Bytes unread, Frame& frame) = 0;

  // Whether the capture may end here, once all bytes were used.
  virtual bool at_boundary() const = 0;

  // Those that are known so far; of pcapng, those of the section that is being read.
  const std::vector<Interface>& interfaces() const { return interfaces_; }
  virtual bool more_interfaces() const = 0;  // whether others may follow
  // That of the latest frame, by the Stamp::tap that next() gave it. Precondition: there was one.
  const Interface& interface_of(uint32_t tap) const { return interfaces_[tap - taps_]; }
  uint64_t frames() const { return frames_; }  // the number of the latest one
  // Frames that are known to have been lost behind the latest one, as far as was read: where none comes any
  // more, no Frame::dropped has them.
  uint32_t dropped_behind() const { return dropped_behind_; }
  // Until then no other frame had come, as statistics of an interface say, by its clock; 0: none has said so.
  int64_t quiet_until_ns() const { return quiet_until_ns_; }
  const std::string& damage() const { return damage_; }

 protected:
  static Step more(size_t needed) { return {Step::Kind::more, 0, needed}; }
  static Step nothing(size_t used) { return {Step::Kind::nothing, used, 0}; }
  Step damaged(std::string why) {
    damage_ = std::move(why);
    return {Step::Kind::damaged, 0, 0};
  }

  std::vector<Interface> interfaces_;
  uint32_t taps_ = 0;  // interfaces of the sections before
  uint64_t frames_ = 0;
  uint32_t dropped_behind_ = 0;
  int64_t quiet_until_ns_ = 0;
  std::string damage_;
};

constexpr size_t kMagicSize = 4;

// The reader for a capture that begins with these bytes, kMagicSize at least; null where it is not a capture.
std::unique_ptr<Reader> recognise(Bytes start);

}  // namespace steertag::capture
