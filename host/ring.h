// Ring: the latest frames of a live capture, in so many files of so many bytes (--ring). A file that leaves
// the ring is removed, and so are those that are in it at the end; unless an audit has found something in one
// of its frames: then it gets a name, with what was found as comments on the frames. As a Records it takes
// what an AuditProduct has to say: a line for each finding (product/audit_forms.h).
//
// Until it is kept a file has a temporary name beside those that are kept, as whatever becomes a result has
// (target.h). Another thread writes the comments, so that frames are read meanwhile. Where the disk is full,
// that is said once, the capture goes on, and the ring with it as soon as there is room.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "capture/pcapng_writer.h"
#include "frame.h"
#include "host/run_options.h"
#include "host/target.h"
#include "product/records.h"

namespace steertag::host {

class Ring final : public product::Records {
 public:
  static constexpr size_t kMostComments = 16 << 20;  // bytes, of those in the ring

  // Throws Failure where no file can be made.
  explicit Ring(const RunOptions& options);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  Series& series() { return series_; }
  void add(const Frame& frame);
  report::Buffer& buffer() override { return buffer_; }
  void record_done() override;
  // Nothing more comes: all that is to be kept has its name.
  void finish();
  bool failed() const { return failed_; }  // something could not be written
  void last_words() const;                 // what became of it

 private:
  struct File {
    std::unique_ptr<Target> target;
    uint64_t first = 0, last = 0;  // frames
    uint64_t bytes = 0;
    bool kept = false;
    std::map<uint64_t, std::vector<std::string>> comments = {};  // by frame
    size_t comment_bytes = 0;
  };

  void begin_file(uint64_t first);
  void leave(File file);
  void flush();
  void complain_once(int error);
  void take(uint64_t frame, bool keeps, std::string_view words);
  void work();  // of the other thread
  void keep(const File& file);

  const RingOptions& options_;
  const std::string interface_;
  const uint32_t snaplen_;
  Series series_;  // of what is kept
  uint32_t link_type_ = 0;
  report::Buffer buffer_;
  std::deque<File> files_;  // the last one is being written
  std::vector<uint8_t> out_;
  capture::PcapngWriter writer_{out_};
  uint64_t paused_until_ = 0;  // the frame with which a next file is tried
  size_t comment_bytes_ = 0;
  uint64_t late_ = 0, left_out_ = 0;  // findings without a file, without a comment
  bool failed_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<File> to_keep_;
  bool over_ = false;
  int keep_error_ = 0;
  std::jthread keeper_;
};

}  // namespace steertag::host
