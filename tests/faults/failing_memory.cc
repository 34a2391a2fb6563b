// Preloaded into the command: memory that is not to be had, at the call that fault.h names.
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>

#include "chosen.h"

extern "C" {

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

}  // extern "C"

namespace {

bool none() {
  if (fault::now()) {
    errno = ENOMEM;
    return true;
  }
  return false;
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  return none() ? nullptr : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return none() ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return none() ? nullptr : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) {
  return none() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return none() ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* const found = none() ? nullptr : __libc_memalign(alignment, size);
  *out = found != nullptr ? found : *out;
  return found != nullptr ? 0 : ENOMEM;
}

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return none() ? MAP_FAILED
                : reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, fd, offset));
}

}  // extern "C"
