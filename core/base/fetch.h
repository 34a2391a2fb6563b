// fetch(): asks for memory that is needed a little later, so that many pieces of it are on
// their way at a time and nothing has to wait for each. Reads and changes nothing; any
// address will do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace steertag::base {

inline constexpr size_t kLine = 64;  // bytes that a processor fetches at a time

inline void fetch(const void* first, size_t bytes) {
  const auto* begin = static_cast<const char*>(first);
  const auto skipped = reinterpret_cast<uintptr_t>(first) % kLine;
  for (size_t at = 0; at < bytes + skipped; at += kLine) {
    __builtin_prefetch(begin + at);
  }
}

template <typename T>
void fetch(const T& object) {
  fetch(&object, sizeof(T));
}

}  // namespace steertag::base
