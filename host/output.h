// Output: where results go: standard output, or the file of -o (target.h). Written in
// pieces of 64 KiB and more; record by record where a person or a live capture is
// waiting for them. For a person it is fitted to the terminal, and shown in a pager (pager.h)
// where it is more than the screen has lines for.
//
// A failed write is kept, not thrown: it may happen while the analyzer is at
// work. check() throws it, from where that is safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/pager.h"
#include "host/target.h"
#include "product/records.h"
#include "report/buffer.h"

namespace steertag::host {

class Output final : public product::Records {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // "" and "-": standard output. Throws Failure. Where memory runs out, of the result the complete records
  // are written; of a report beside it nothing is.
  enum class Role : uint8_t { result, report };
  void open(const std::string& path, Role role = Role::result);
  // How it is shown, should it be a terminal; before the sandbox, and before the first record. Lines of text
  // that are too long are folded (report/fold.h); what is in a form for programs stays as it is.
  enum class Form : uint8_t { text, other };
  enum class Paging : uint8_t { wanted, unwanted };
  void show(Form form, Paging paging);
  // Something else is written besides: where the reader of this one goes away, it gets nothing more, and the
  // rest goes on. Otherwise nobody wants what is found, and check() ends the run.
  void not_alone() { alone_ = false; }

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
  // What was written is not all: the file that it would replace stays as it is. Anything else gets what is
  // left.
  void leave();
  // For whoever ends the process: writes the records that are complete, from wherever this is. False where
  // that is of no use, since they would be in a file that is given up. Allocates nothing.
  bool write_complete() noexcept;

  bool begun() const { return begun_; }        // something was written
  bool terminal() const { return terminal_; }  // or a pager on it
  bool folds() const { return folds_; }
  bool paged() const { return pager_ != nullptr; }  // a pager has to be waited for: Needs::pager
  unsigned width() const { return width_; }         // columns for tables; 0: as many as they take
  void refuse_terminal() const;                     // of who writes binary: throws Failure
  // A descriptor of the folder in which its file gets its name; none where it has it.
  std::vector<int> folders() const {
    return target_ && target_->folder() >= 0 ? std::vector{target_->folder()} : std::vector<int>();
  }
  std::function<void()> before_write;  // to a terminal: removes a progress bar from it

 private:
  [[noreturn]] void fail() const;
  void fold();
  bool kept_for_pager();
  void write_until(size_t end) noexcept;

  int fd_ = 1;
  std::string name_ = "standard output";
  std::optional<Target> target_;
  bool terminal_ = false, folds_ = false;
  unsigned width_ = 0;
  std::unique_ptr<Pager> pager_;
  report::Buffer folded_;
  int error_ = 0;  // errno of the first write that failed
  bool alone_ = true, unread_ = false;
  bool begun_ = false;
  report::Buffer buffer_;
  size_t complete_ = 0, written_ = 0;  // bytes of it: of whole records; that were written
};

}  // namespace steertag::host
