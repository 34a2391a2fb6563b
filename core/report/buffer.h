// Buffer: what reports are written into, one record after the other. The caller
// owns it, passes it to the functions of this folder, which only ever append, and
// decides when to write it out. Kept and cleared, it stops allocating.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace steertag::report {

using Buffer = fmt::memory_buffer;

inline void put(Buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
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
