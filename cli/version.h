// Which program this is: its version, and the commit that it was built from. They are asked at each build
// (commit.cmake), so that they are true also where nothing was configured again, and stand in a file of their
// own, so that only that one is compiled again.
#pragma once

#include <string>
#include <string_view>

namespace steertag::cli {

// "0123456789", with "-dirty" behind it where the files are not those of the commit; "unknown".
std::string_view commit();
// "2026-11-25"; empty where the commit is unknown.
std::string_view commit_date();

// What --version prints: "steertag 0.1.0 (commit 0123456789)".
inline std::string version_line() {
  return "steertag " STEERTAG_VERSION " (commit " + std::string(commit()) + ")";
}

}  // namespace steertag::cli
