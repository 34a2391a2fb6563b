// Output: where results go: standard output, or the file of -o. Written in
// pieces of 64 KiB and more; record by record where a person or a live capture is
// waiting for them.
//
// A failed write is kept, not thrown: it may happen while the analyzer is at
// work. check() throws it, from where that is safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "records.h"
#include "report/buffer.h"

namespace steertag::cli {

class Output final : public Records {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // "" and "-": standard output. Throws Failure. `is_input(device, inode)` says
  // whether that file is also read: writing to it would destroy it.
  void open(const std::string& path, const std::function<bool(uint64_t, uint64_t)>& is_input);

  report::Buffer& buffer() override { return buffer_; }
  void record_done() override;
  void flush();
  bool failed() const { return error_ != 0; }
  void check() const {  // throws Failure, or ReaderGone, where it failed
    if (failed()) [[unlikely]] {
      fail();
    }
  }
  void close();  // writes what is left; throws like check()

  bool terminal() const { return terminal_; }
  std::function<void()> before_write;  // to a terminal: removes a progress bar from it

 private:
  [[noreturn]] void fail() const;

  int fd_ = 1;
  std::string name_ = "standard output";
  bool owned_ = false;
  bool terminal_ = false;
  int error_ = 0;  // errno of the first write that failed
  report::Buffer buffer_;
};

}  // namespace steertag::cli
