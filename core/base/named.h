// named(): the name of an enum's value, from a table of names. The table is in the order of the values and
// begins with that of 0. Another value than those of the enum has an empty name. A table with too few or too
// many names does not compile.
#pragma once

#include <cstddef>
#include <optional>
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

// The other way round: the value of a name, from such a table; unset where it has none.
template <typename Value, size_t size>
constexpr std::optional<Value> valued(const std::pair<std::string_view, Value> (&values)[size],
                                      std::string_view name) {
  for (const auto& [one, value] : values) {
    if (one == name) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace steertag::base
