// named(): what a value of an enum is called, by a table of the names of all values in their order, the first
// of which is 0. It calls nothing what is no value of the enum. A table that lacks one, or has one too many,
// does not compile.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace steertag::base {

// `last`: the last value.
template <auto last, size_t size>
constexpr std::string_view named(const std::string_view (&names)[size], decltype(last) value) {
  static_assert(size == static_cast<size_t>(last) + 1);
  const auto place = static_cast<size_t>(value);
  return place < size ? names[place] : std::string_view();
}

// The same of an enum with gaps, value by value.
template <typename Enum, size_t size>
constexpr std::string_view named(const std::pair<Enum, std::string_view> (&names)[size], Enum value) {
  for (const auto& [one, name] : names) {
    if (one == value) {
      return name;
    }
  }
  return {};
}

}  // namespace steertag::base
