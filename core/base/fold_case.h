// same_in_any_case(): whether a word that a user typed is the one that is meant:
// the id of a rule, the name of a procedure. They are ASCII; in which case they
// are asked for is nobody's business, and no locale has a say.
#pragma once

#include <algorithm>
#include <string_view>

namespace steertag::base {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool same_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace steertag::base
