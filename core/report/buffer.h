// Buffer: what reports are written into, one record after the other. The caller
// owns it, passes it to the functions of this folder, which only ever append, and
// decides when to write it out. Kept and cleared, it stops allocating.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/bytes.h"

namespace steertag::report {

using Buffer = fmt::memory_buffer;

// Room for so many bytes at the end of `out`, to be written by the caller.
inline char* grow(Buffer& out, size_t bytes) {
  const size_t size = out.size();
  out.resize(size + bytes);
  return out.data() + size;
}
// Not append(), which copies byte by byte.
inline void put(Buffer& out, std::string_view text) {
  std::copy_n(text.data(), text.size(), grow(out, text.size()));
}
inline void put(Buffer& out, Bytes bytes) {
  std::copy_n(bytes.data(), bytes.size(), grow(out, bytes.size()));
}
inline void put(Buffer& out, char c) {
  out.push_back(c);
}
inline std::string_view view(const Buffer& buffer) {
  return {buffer.data(), buffer.size()};
}

// fmt::format_to, at the end of `out`.
void print_arguments(Buffer& out, fmt::string_view format, fmt::format_args arguments);
template <typename... Args>
void print(Buffer& out, fmt::format_string<Args...> format, Args&&... args) {
  print_arguments(out, format, fmt::make_format_args(args...));
}

}  // namespace steertag::report
