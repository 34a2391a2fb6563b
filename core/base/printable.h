// printable(): a text on one line, for people, whatever it holds: a file may be
// called anything, and a scenario may say anything. Control characters become "?"; what
// would be invisible (utf8.h) is spelled out as \u202e, and bytes that are not UTF-8 as \x9b.
// Everything else stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace steertag::base {

std::string printable(std::string_view text);

}  // namespace steertag::base
