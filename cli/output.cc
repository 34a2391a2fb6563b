#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "failure.h"

namespace steertag::cli {
namespace {
constexpr size_t piece_size = 64 * 1024;  // bytes
}

Output::~Output() {
  if (owned_) {
    ::close(fd_);
  }
}

void Output::open(const std::string& path, const std::function<bool(uint64_t, uint64_t)>& is_input) {
  if (!path.empty() && path != "-") {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        is_input(status.st_dev, status.st_ino)) {
      throw Failure(path + ": is an input, too; writing to it would destroy it");
    }
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
      throw Failure(path + ": " + reason(errno));
    }
    fd_ = fd;
    owned_ = true;
    name_ = path;
  }
  terminal_ = isatty(fd_) == 1;
}

void Output::record_done() {
  if (buffer_.size() >= piece_size || terminal_) {
    flush();
  }
}

void Output::flush() {
  if (terminal_ && buffer_.size() != 0 && before_write) {
    before_write();
  }
  size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const ssize_t count = write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (count >= 0) {
      done += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

void Output::fail() const {
  if (error_ == EPIPE) {
    throw ReaderGone();
  }
  throw Failure(name_ + ": " + reason(error_));
}

void Output::close() {
  flush();
  if (owned_) {
    owned_ = false;
    if (::close(fd_) != 0 && error_ == 0) {
      error_ = errno;
    }
  }
  check();
}

}  // namespace steertag::cli
