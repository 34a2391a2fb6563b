#include "host/output.h"

#include <unistd.h>

#include <cerrno>

#include "host/failure.h"
#include "host/out_of_memory.h"
#include "host/terminal.h"
#include "report/fold.h"

namespace steertag::host {
namespace {

constexpr size_t piece_size = 64 * 1024;  // bytes

}  // namespace

Output::~Output() {
  Output* self = this;
  progressed.output.compare_exchange_strong(self, nullptr);
}

void Output::open(const std::string& path, Role role) {
  if (!is_standard(path)) {
    target_.emplace(path);
    fd_ = target_->descriptor();
    name_ = path;
  }
  terminal_ = isatty(fd_) == 1;
  width_ = is_standard(path) ? terminal_width() : 0;
  if (role == Role::result) {
    progressed.output = this;
  }
}

void Output::refuse_terminal() const {
  if (terminal_) {
    throw Failure("standard output: is a terminal; captures are binary, use -o FILE");
  }
}

void Output::show(Form form, Paging paging) {
  if (!terminal_ || target_) {
    return;
  }
  folds_ = form == Form::text && width_ != 0;
  if (paging == Paging::wanted) {
    pager_ = std::make_unique<Pager>();
    pager_->prepare();
    if (!pager_->waits()) {
      pager_.reset();
    }
  }
}

// What was appended since the last record.
void Output::fold() {
  const std::string_view all = report::view(buffer_);
  if (folds_ && all.size() != complete_) {
    folded_.clear();
    report::fold(folded_, all.substr(complete_), width_);
    buffer_.resize(complete_);
    report::put(buffer_, report::view(folded_));
  }
}

// Whether it still fits the screen, so that it is not known where it is to be shown.
bool Output::kept_for_pager() {
  if (!pager_ || !pager_->waits()) {
    return false;
  }
  if (pager_->fits(report::view(buffer_).substr(complete_))) {
    return true;
  }
  if (before_write) {
    before_write();
  }
  fd_ = pager_->start();
  return false;
}

void Output::record_done() {
  fold();
  const bool kept = kept_for_pager();
  complete_ = buffer_.size();
  if (kept) {
    return;
  }
  if (buffer_.size() >= piece_size || terminal_) {
    flush();
  }
}

void Output::flush() {
  fold();
  if (pager_ && pager_->waits() && buffer_.size() != 0) {
    if (kept_for_pager()) {
      pager_->leave();
    }
  }
  complete_ = buffer_.size();
  if (terminal_ && buffer_.size() != 0 && before_write) {
    before_write();
  }
  write_until(buffer_.size());
  complete_ = 0;
  written_ = 0;
  buffer_.clear();
}

void Output::write_until(size_t end) noexcept {
  while (written_ < end && error_ == 0 && !unread_) {
    const ssize_t count = write(fd_, buffer_.data() + written_, end - written_);
    if (count > 0) {
      written_ += static_cast<size_t>(count);
      begun_ = true;
    } else if (count == 0 || errno != EINTR) {
      error_ = count == 0 ? EIO : errno;  // a file that takes nothing and does not say why
    }
  }
  if (error_ == EPIPE && !alone_) {
    error_ = 0;
    unread_ = true;
  }
}

bool Output::write_complete() noexcept {
  if (target_ && target_->replaces()) {
    return false;
  }
  write_until(complete_);
  return error_ == 0;
}

void Output::fail() const {
  if (error_ == EPIPE) {
    throw ReaderGone();
  }
  throw Failure(name_ + ": " + reason(error_));
}

void Output::close() {
  flush();
  if (pager_) {
    pager_->leave();
  }
  if (target_ && error_ == 0) {
    error_ = target_->keep();
  }
  check();
}

void Output::leave() {
  if (target_ && target_->replaces()) {
    target_.reset();
  } else {
    close();
  }
}

}  // namespace steertag::host
