// SHA-256 (FIPS 180-4): a digest that nobody can make another text have, so that a report can say which
// bytes of a file it rests on. A pure function of them. It is written to be read, not to be fast: what it is
// for are files of a few kilobytes.
#pragma once

#include <string>
#include <string_view>

namespace steertag::base {

// As 64 hex digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

}  // namespace steertag::base
