// Trace: the frames of one or several captures as one trace, in order of time.
// Frames of one file keep their order and their numbers; at equal times the
// file named first comes first. Files that go on where the one before ended, as those of a ring do, are of
// one clock (Stamp::clock()).
//
// Every file is opened before the first is read, and every header is read before the
// first frame is handed out: a file that is not a capture is known before work begins. Of many files,
// only those whose time has come are kept open; and where the process may not have as many
// open as there are, each only while it is read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frame.h"
#include "host/capture.h"

namespace steertag::host {

class Trace {
 public:
  // Opens them all. Throws Failure where one of them cannot be read. `others`: files beside them that others
  // have open meanwhile. `opened`: the descriptor of the only one, where there is one already.
  explicit Trace(std::vector<std::string> paths, size_t others = 0, int opened = -1);
  // Those that will be opened again.
  std::vector<std::string> read_again() const;
  // Reads their headers, before anything else. Throws Failure where one of them is not a capture.
  void begin();
  // Begins anew. Throws Failure, too. Precondition: regular().
  void restart();
  // Whether all of them are files that can be opened again.
  bool regular() const;

  // The next frame; its bytes are good until the next call. Throws Failure
  // where a file that was there is gone.
  bool next(Frame& frame);
  // The memory that it lies in; as Capture::block().
  const std::shared_ptr<const uint8_t[]>& block() const { return current_->capture->block(); }

  // How many bytes were kept of each frame where the latest one was captured; 0: all.
  uint32_t snaplen() const { return current_->capture->snaplen(); }

  Bytes record() const { return current_->capture->record(); }  // Capture::record() of the latest frame

  const std::vector<std::string>& paths() const { return paths_; }  // by Stamp::file
  bool damaged() const { return damaged_; }                         // a file made no sense before its end
  bool foreign() const { return foreign_; }  // a file held nothing of a link type that is read
  bool cut() const { return cut_; }          // a file ended in the middle of a record
  uint64_t dropped_behind() const {
    return dropped_behind_;
  }  // Capture::dropped_behind() of those that ended
  // Of the only one, which has begun and not ended: Reader::quiet_until_ns().
  int64_t quiet_until_ns() const { return sources_.front().capture->quiet_until_ns(); }

  // The progress, in bytes of the files; 0 of 0 where that cannot be known.
  uint64_t position() const;
  uint64_t size() const { return size_; }

  // Called for each file that ended early: its name, and what is wrong.
  std::function<void(const std::string& path, const std::string& trouble)> on_trouble;
  // Called for what is passed over in a file, before the frame that comes next in it; as Capture::on_passed.
  std::function<void(uint32_t file, Bytes piece)> on_passed;
  // Called before a read that would have to wait for more input; as Stream::on_wait().
  std::function<bool()> on_wait;

 private:
  struct Source {
    uint32_t index = 0;
    std::unique_ptr<Capture> capture;  // null while parked, and at its end
    Frame head;                        // the next frame; only its stamp holds while parked
    uint64_t size = 0;
    bool seekable = false;
    std::optional<uint32_t> clock = {};  // from its first frame on
  };
  void open(Source& source);
  void begin(Source& source);                 // opens it where it is parked, and reads its header
  void park(Source& source);                  // until its time has come, where there are many
  bool advance(Source& source, Frame& into);  // reads its next frame; false at the end of the file
  void close(Source& source);                 // at its end
  void start();
  void push(Source& source);
  Source* pop();
  void set_clock(Source& source);
  void hand_out(Frame& frame);
  bool many() const { return sources_.size() > max_open_unread; }

  static constexpr size_t max_open_unread = 64;       // files kept open before their time has come
  static constexpr int64_t kPauseNs = 1'000'000'000;  // between the files of a ring, at most

  std::vector<std::string> paths_;
  int opened_;
  std::vector<Source> sources_;
  std::vector<Source*> heap_;  // the earliest head first
  Source* current_ = nullptr;  // whose head was handed out last
  bool started_ = false;
  uint32_t clocks_ = 0;             // so far
  size_t under_way_ = 0;            // files of which a frame was handed out, and which have not ended
  bool mixed_ = false;              // several of them were under way since the latest clock began
  int64_t latest_ns_ = 0;           // when the frame was captured that was handed out last
  uint32_t link_type_ = 0;          // and its link type
  uint64_t size_ = 0, passed_ = 0;  // bytes: of all files, of those that ended
  bool damaged_ = false, foreign_ = false, cut_ = false;
  uint64_t dropped_behind_ = 0;
  bool may_stay_open_;  // all of them
};

}  // namespace steertag::host
