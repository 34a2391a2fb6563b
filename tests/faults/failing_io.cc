// Preloaded into the command: a call about a file that fails, the one that fault.h names.
#include <dlfcn.h>
#include <poll.h>
#include <sys/stat.h>

#include <cstdarg>
#include <cstddef>

#include "chosen.h"

namespace {

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// For calls that cannot do less than all: "short" leaves them alone, and so does "nothing".
bool fails() {
  if (fault::now() && !fault::chosen->is_short() && !fault::chosen->is_nothing()) {
    errno = fault::chosen->error();
    return true;
  }
  return false;
}

// For those that can: 0 is to fail, anything else how many bytes to ask for.
size_t asked(size_t size) {
  if (fault::now() && !fault::chosen->is_nothing()) {
    errno = fault::chosen->error();
    return fault::chosen->is_short() && size != 0 ? 1 : 0;
  }
  return size == 0 ? 1 : size;
}

mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

extern "C" {

ssize_t read(int fd, void* out, size_t size) {
  const size_t few = asked(size);
  return few == 0 ? -1 : next<decltype(&read)>("read")(fd, out, few);
}

ssize_t pread(int fd, void* out, size_t size, off_t at) {
  const size_t few = asked(size);
  return few == 0 ? -1 : next<decltype(&pread)>("pread")(fd, out, few, at);
}

ssize_t write(int fd, const void* data, size_t size) {
  if (fault::chosen != nullptr && fault::chosen->is_nothing() && fault::now()) {
    errno = EINTR;  // of an earlier call: this one says nothing
    return 0;
  }
  const size_t few = asked(size);
  return few == 0 ? -1 : next<decltype(&write)>("write")(fd, data, few);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return fails() ? -1 : next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int __open_2(const char* path, int flags) {  // what open() is with _FORTIFY_SOURCE and without a mode
  return fails() ? -1 : next<int (*)(const char*, int, ...)>("open")(path, flags);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return fails() ? -1 : next<int (*)(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

int close(int fd) {
  const bool failed = fails();
  const int error = errno;
  const int closed = next<decltype(&close)>("close")(fd);  // it is closed nevertheless
  errno = failed ? error : errno;
  return failed ? -1 : closed;
}

int fsync(int fd) {
  return fails() ? -1 : next<decltype(&fsync)>("fsync")(fd);
}

int rename(const char* from, const char* to) {
  return fails() ? -1 : next<decltype(&rename)>("rename")(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return fails() ? -1 : next<decltype(&renameat)>("renameat")(from_folder, from, to_folder, to);
}

int fstat(int fd, struct stat* status) {
  return fails() ? -1 : next<decltype(&fstat)>("fstat")(fd, status);
}

int stat(const char* path, struct stat* status) {
  return fails() ? -1 : next<int (*)(const char*, struct stat*)>("stat")(path, status);
}

int fstatat(int folder, const char* path, struct stat* status, int flags) {
  return fails() ? -1 : next<decltype(&fstatat)>("fstatat")(folder, path, status, flags);
}

ssize_t readlink(const char* path, char* out, size_t size) {
  return fails() ? -1 : next<decltype(&readlink)>("readlink")(path, out, size);
}

int poll(pollfd* files, nfds_t count, int timeout) {
  return fails() ? -1 : next<decltype(&poll)>("poll")(files, count, timeout);
}

}  // extern "C"
