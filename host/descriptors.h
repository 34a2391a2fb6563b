// Descriptors of open files, which a process inherits and of which it may have only so many: what main()
// sees to before anything is opened, and what whoever is about to open many files
// asks first.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace steertag::host {

// Whoever started us may have closed standard input, output or error (2>&-). What is opened next would get
// that number, and messages would land in a result. So each of them that is closed becomes one that can
// neither be read nor written: using it is an error like any other. First of all, and false where even that
// fails.
bool fill_standard_descriptors();

// Which descriptors there are before anything is opened, beside the standard ones: somebody forgot to close
// them. First of all, too. Those whose numbers nobody would name are closed at once.
void note_inherited_descriptors();
// Closes these, before any byte of a capture is read, but for those that are yet to be opened by their names:
// "/dev/fd/63".
void close_inherited_descriptors(std::span<const std::string> to_open);

// Whether so many files may be open at a time, beside a few others; asks for more where that helps.
bool may_open(size_t files);

// Descriptor: an open file, which is closed when nobody has it any more. It is made of what open() and its
// like have answered; where they failed it is negative, and there is nothing to close. It can be moved, but
// not copied.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int number() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace steertag::host
