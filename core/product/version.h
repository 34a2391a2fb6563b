// Which version of Steertag this is ("0.1.0"), as products name it in what they write.
// It is compiled into a file of its own, so that a new version
// compiles nothing else again.
#pragma once

#include <string_view>

namespace steertag::product {

std::string_view version();

}  // namespace steertag::product
