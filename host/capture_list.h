// The captures that --each audits one by one: files as they are named, and those that folders hold, at any
// depth, by the endings of their names.
// They are looked for before the sandbox is entered, and nothing of them is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace steertag::host {

struct ListedCapture {
  std::string path;
  std::string trouble;  // why it cannot be read; empty where it may be
  uint64_t size = 0;    // bytes
};

// In the order in which they are named, those of a folder in the order of their paths. What cannot be looked
// at, and a folder without any capture, is in the list with the reason. Links to folders are not followed,
// unless named.
std::vector<ListedCapture> list_captures(const std::vector<std::string>& names);
// The paths of those that can be read.
std::vector<std::string> readable(const std::vector<ListedCapture>& captures);

}  // namespace steertag::host
