// Stream: the bytes of a file or of standard input, decompressed where they are
// gzip or zstd; distinguished by their first bytes, never by name. capture.cc
// reads one.
//
// Damaged or truncated compressed data is not an error: the stream ends there,
// and trouble() says why.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace steertag::host {

class Inflater;  // gzip or zstd, one step at a time

class Stream {
 public:
  // Opens `path`, "-" for standard input; or takes what is `opened` already, a descriptor. Throws Failure.
  explicit Stream(const std::string& path, int opened = -1);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Up to `size` bytes; 0 at the end, -1 where reading failed, see read_error().
  int64_t read(uint8_t* out, size_t size);

  // Why the data ended early; empty where it did not.
  const std::string& trouble() const { return trouble_; }
  int read_error() const { return read_error_; }  // errno; 0 where reading did not fail
  // Whether that trouble means "cut short" rather than "damaged".
  bool cut() const { return cut_; }
  // The unsupported format that the data is compressed with ("xz"); empty otherwise.
  const char* foreign_compression() const;
  // The data ended because on_wait() did not want more.
  bool given_up() const { return given_up_; }

  uint64_t position() const { return position_; }     // bytes of the file read so far, compressed
  uint64_t size() const { return size_; }             // of the file; 0 where it is not a regular file
  bool seekable() const { return owned_ && !live_; }  // a file that can be opened again

  // From now on the file is open only while it is read, where it can be opened again.
  void rest();

  // Called before a read that would have to wait for more input; where it returns
  // false, the data ends there.
  void on_wait(std::function<bool()> callback) { on_wait_ = std::move(callback); }

 private:
  int64_t fill();  // reads more raw bytes after those not yet used
  int64_t read_raw(uint8_t* out, size_t size);
  int64_t read_resting(uint8_t* out, size_t size);
  void sniff();

  std::string path_;
  int fd_ = -1;
  bool owned_ = false;
  bool resting_ = false;
  bool live_ = false;  // a pipe, a socket, a terminal: reading may wait
  uint64_t size_ = 0, position_ = 0, device_ = 0, inode_ = 0;
  std::vector<uint8_t> raw_;  // read from the file; [begin_, end_) is not yet used
  size_t begin_ = 0, end_ = 0;
  bool sniffed_ = false;
  bool ended_ = false;  // the file has no more, or no more is wanted
  bool given_up_ = false;
  std::unique_ptr<Inflater> inflater_;
  std::string trouble_;
  bool cut_ = false;
  int read_error_ = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // once interrupted: no more after it
  std::function<bool()> on_wait_;
};

}  // namespace steertag::host
