// printable(): a text on one line, for people, whatever it holds: a file may be
// called anything, and a scenario may say anything. Control characters become "?"; what
// would be invisible (utf8.h) is spelled out as \u202e, and bytes that are not UTF-8 as \x9b.
// Two marks that a runner of CI takes for a command, "##" and at the beginning "::", lose one of their
// characters to such a spelling: "#\x23[error]". Everything else stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace steertag::base {

std::string printable(std::string_view text);

}  // namespace steertag::base
