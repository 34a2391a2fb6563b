// Reading configurations and baselines, which are TOML. The parser is toml++'s, which nothing but toml.cc
// includes. What a file may say is said there, too, key by key; whatever else it says is refused, with the
// place and, where one is near, what was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "host/config.h"

namespace steertag::host {

inline constexpr size_t kMostToml = 16 << 20;  // bytes of a file

// Whether [[known]] entries must say why they are accepted; a baseline that was just written does not, yet.
enum class Reasons : uint8_t { required, optional };

// `name`: of the file, for messages and in what is known. Throws Failure: "steertag.toml:3:7: reason".
Config read_config(std::string_view text, const std::string& name, Reasons reasons = Reasons::required);

}  // namespace steertag::host
