// Preloaded into tshark, which is C: whoever asks C++ for memory in that process is the plugin, and the call
// that fault.h names is told that there is none, as the standard library would tell it.
#include <cstdlib>
#include <new>

#include "faults/fault.h"

namespace {

fault::Fault& chosen() {
  static fault::Fault fault;
  return fault;
}

void* find(size_t size, size_t alignment) {
  bool none = chosen().now();
  for (;;) {
    if (void* found =
            none ? nullptr : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) {
      return found;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
    none = false;
  }
}

}  // namespace

void* operator new(size_t size) {
  return find(size, alignof(max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return find(size, static_cast<size_t>(alignment));
}
void operator delete(void* gone) noexcept {
  free(gone);
}
void operator delete(void* gone, size_t) noexcept {
  free(gone);
}
void operator delete(void* gone, std::align_val_t) noexcept {
  free(gone);
}
void operator delete(void* gone, size_t, std::align_val_t) noexcept {
  free(gone);
}
