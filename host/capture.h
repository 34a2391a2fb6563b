// Capture: the frames of one capture file, in file order: what capture::Reader
// finds in the bytes of a Stream. Its blocks hold whole frames, so that none is
// copied.
//
// A capture that is cut in the middle of a record, or damaged, ends there:
// next() returns false and end() says which.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/reader.h"
#include "frame.h"
#include "host/stream.h"

namespace steertag::host {

class Capture {
 public:
  // Opens the file, unless it is `opened`, as Stream has it. `index` becomes Stamp::file.
  Capture(std::string path, uint32_t index, int opened = -1);
  // Reads its header, before anything else. Throws Failure where this is not a capture, or not of
  // a link type that is read.
  void begin();

  // The next frame; its bytes are good until the next call.
  bool next(Frame& frame);
  // The memory that the latest frame lies in. Its bytes are good for as long as somebody has this, too.
  const std::shared_ptr<const uint8_t[]>& block() const { return shared_; }

  // Its record in the file, header and all.
  Bytes record() const { return record_; }
  uint32_t dropped_behind() const { return reader_->dropped_behind(); }  // capture::Reader's
  int64_t quiet_until_ns() const { return reader_->quiet_until_ns(); }
  // Called for what is passed over, piece by piece: headers, blocks that are no frames.
  std::function<void(Bytes)> on_passed;
  // How many bytes were kept of each frame where the latest one was captured; 0: all.
  uint32_t snaplen() const { return reader_->interface_of(tap_).snaplen; }

  enum class End : uint8_t {
    none,     // not yet, or where it should
    cut,      // in the middle of a record: what is there was read
    damaged,  // the rest makes no sense, or could not be read
    foreign,  // where it should, but no frame was of a link type that is read
  };
  End end() const { return end_; }
  // One line, without the name of the file; also where only some frames were of a link type that is read.
  const std::string& trouble() const { return trouble_; }

  Stream& stream() { return *stream_; }

 private:
  struct Link {
    bool read = false;  // or passed over, because the decoder does not know it
    uint64_t frames = 0;
  };
  void read_header();
  void pass(const capture::Step& step);
  Bytes unread() const { return Bytes(block_.bytes.get() + begin_, end_of_data_ - begin_); }
  bool fill(size_t needed);
  void count(const Frame& frame);
  Link& link(uint32_t link_type);
  void note_end(capture::Step::Kind last);
  void note_foreign();

  std::string path_;
  uint32_t index_ = 0;
  uint32_t tap_ = 0;  // of the latest frame, as its Reader has it
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<capture::Reader> reader_;

  struct Block {
    std::shared_ptr<uint8_t[]> bytes;
    size_t capacity = 0;
  };
  bool lent() const { return shared_.use_count() > 2; }  // somebody else has it: block_ and shared_ do
  Block free_block(size_t needed);
  void take(Block block);

  Block block_;
  std::shared_ptr<const uint8_t[]> shared_;  // the same
  std::vector<Block> lent_;                  // those before, which somebody had
  size_t begin_ = 0, end_of_data_ = 0;       // what was read and is not yet used: [begin_, end_of_data_)

  Bytes record_;

  std::map<uint32_t, Link> links_;  // by link type
  uint32_t link_type_ = 0;          // of the latest frame ...
  Link* link_ = nullptr;            // ... and what is known of it

  End end_ = End::none;
  std::string trouble_;
};

}  // namespace steertag::host
