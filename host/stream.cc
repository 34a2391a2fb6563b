#include "host/stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "host/failure.h"
#include "host/inflate.h"
#include "host/interrupt.h"

namespace steertag::host {
namespace {

constexpr size_t raw_size = 256 * 1024;  // bytes of a compressed file read at a time
// After an interruption: how much longer more input is awaited, and read; milliseconds.
constexpr int patience_ms = 500;
constexpr auto last_words = std::chrono::milliseconds(2000);

bool begins(const std::vector<uint8_t>& raw, size_t begin, size_t end, std::string_view magic) {
  return end - begin >= magic.size() && std::memcmp(raw.data() + begin, magic.data(), magic.size()) == 0;
}

}  // namespace

Stream::Stream(const std::string& path, int opened) : path_(path), raw_(raw_size) {
  if (opened >= 0) {
    fd_ = opened;
    owned_ = true;
  } else if (path == "-") {
    fd_ = STDIN_FILENO;
  } else {
    fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    owned_ = true;
    if (fd_ < 0) {  // of a FIFO, nobody may have come to write
      const int error = errno;
      throw Failure(shown(path) + ": " +
                    (interrupted() ? "interrupted before anything was read" : reason(error)));
    }
  }
  struct stat status {};
  if (fstat(fd_, &status) != 0) {
    throw Failure(shown(path) + ": " + reason(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    throw Failure(path + ": is a directory");
  }
  live_ = !S_ISREG(status.st_mode);
  size_ = S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

Stream::~Stream() {
  if (owned_ && fd_ >= 0) {
    close(fd_);
  }
}

void Stream::rest() {
  if (owned_ && !live_ && !resting_) {
    resting_ = true;
    close(std::exchange(fd_, -1));
  }
}

// One read, of a file that is not open. Returns as read() does.
int64_t Stream::read_resting(uint8_t* out, size_t size) {
  const int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  struct stat status {};
  ssize_t got = fstat(fd, &status);
  if (got == 0 && (status.st_dev != device_ || status.st_ino != inode_)) {
    got = -1;
    errno = ESTALE;  // another file has its name
  }
  if (got == 0) {
    got = pread(fd, out, size, static_cast<off_t>(position_));
  }
  const int error = errno;
  close(fd);
  errno = error;
  return got;
}

int64_t Stream::read_raw(uint8_t* out, size_t size) {
  if (live_ && on_wait_) {
    pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 0) == 0 && !on_wait_()) {
      ended_ = given_up_ = true;
      return 0;
    }
  }
  ssize_t got = 0;
  do {
    if (live_ && interrupted()) {
      // The writer of the pipe was interrupted, too: what is still on its way is read.
      // Not for ever: it may know nothing of the interruption.
      const auto now = std::chrono::steady_clock::now();
      deadline_ = deadline_.value_or(now + last_words);
      pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
      if (now > *deadline_ || poll(&ready, 1, patience_ms) <= 0) {
        ended_ = true;
        return 0;
      }
    }
    got = resting_ ? read_resting(out, size) : ::read(fd_, out, size);
  } while (got < 0 && errno == EINTR);
  position_ += got > 0 ? static_cast<uint64_t>(got) : 0;
  ended_ = got == 0;
  read_error_ = got < 0 ? errno : 0;
  return got;
}

int64_t Stream::fill() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
  } else if (end_ == raw_.size()) {
    std::copy(raw_.begin() + static_cast<ptrdiff_t>(begin_), raw_.end(), raw_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  const int64_t got = read_raw(raw_.data() + end_, raw_.size() - end_);
  end_ += got > 0 ? static_cast<size_t>(got) : 0;
  return got;
}

void Stream::sniff() {
  sniffed_ = true;
  while (end_ - begin_ < 8 && !ended_ && fill() > 0) {
  }
  // A zstd frame without data may come first; pzstd writes one (RFC 8878 §3.1.2).
  const bool skippable =
      end_ - begin_ >= 4 && (raw_[begin_] & 0xF0) == 0x50 && begins(raw_, begin_ + 1, end_, "\x2A\x4D\x18");
  if (begins(raw_, begin_, end_, "\x1F\x8B")) {
    inflater_ = gunzip();
  } else if (begins(raw_, begin_, end_, "\x28\xB5\x2F\xFD") || skippable) {
    inflater_ = unzstd();
  }
}

const char* Stream::foreign_compression() const {
  using std::literals::operator""sv;
  return begins(raw_, 0, end_,
                "\xFD"
                "7zXZ\0"sv)
             ? "xz"
         : begins(raw_, 0, end_, "BZh"sv)              ? "bzip2"
         : begins(raw_, 0, end_, "\x04\x22\x4D\x18"sv) ? "lz4"
         : begins(raw_, 0, end_, "PK\x03\x04"sv)       ? "zip"
                                                       : "";
}

int64_t Stream::read(uint8_t* out, size_t size) {
  if (!sniffed_) {
    sniff();
  }
  if (!inflater_) {
    if (begin_ == end_) {
      return ended_ ? 0 : read_raw(out, size);
    }
    const size_t count = std::min(size, end_ - begin_);
    std::memcpy(out, raw_.data() + begin_, count);
    begin_ += count;
    return static_cast<int64_t>(count);
  }
  while (trouble_.empty()) {
    const Inflater::Step step = inflater_->step(Bytes(raw_.data() + begin_, end_ - begin_), out, size);
    begin_ += step.used;
    trouble_ = step.trouble;
    if (step.made > 0) {
      return static_cast<int64_t>(step.made);
    }
    if (step.ended) {
      return 0;
    }
    if (step.used > 0 || !trouble_.empty()) {
      continue;
    }
    const int64_t got = ended_ ? 0 : fill();
    if (got < 0) {
      return -1;
    }
    if (got == 0) {
      if (!inflater_->at_boundary()) {
        trouble_ = "the compressed data is cut short";
        cut_ = true;
      }
      return 0;
    }
  }
  return 0;
}

}  // namespace steertag::host
