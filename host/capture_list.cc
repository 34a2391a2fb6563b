#include "host/capture_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/fold_case.h"
#include "host/failure.h"

namespace steertag::host {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings = "*.pcap, *.pcapng, *.cap, also with .gz or .zst";

bool is_capture_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), base::lower);
  for (const std::string_view compression : {".gz", ".zst"}) {
    if (name.ends_with(compression)) {
      name.erase(name.size() - compression.size());
      break;
    }
  }
  constexpr std::array<std::string_view, 3> kKinds = {".pcap", ".pcapng", ".cap"};
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](std::string_view kind) { return name.ends_with(kind); });
}

ListedCapture listed(const std::string& path) {
  struct stat status {};
  if (path == "-") {
    return {path, "cannot be audited by --each, which reads files", 0};
  }
  if (stat(path.c_str(), &status) != 0) {
    return {path, reason(errno), 0};
  }
  if (!S_ISREG(status.st_mode)) {
    return {path, "is not a file, and --each reads files", 0};
  }
  return {path, {}, static_cast<uint64_t>(status.st_size)};
}

// What a folder holds, and the folders in it; in any order.
void walk(const fs::path& folder, std::vector<ListedCapture>& found) {
  std::vector<fs::path> folders = {folder};
  while (!folders.empty()) {
    const fs::path at = folders.back();
    folders.pop_back();
    std::error_code error;
    fs::directory_iterator entry(at, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      std::error_code unknown;
      if (fs::is_directory(entry->symlink_status(unknown))) {
        folders.push_back(entry->path());
      } else if (is_capture_name(entry->path().filename().string()) && !entry->is_directory(unknown)) {
        found.push_back(listed(entry->path().string()));
      }
    }
    if (error) {
      found.push_back({at.string(), reason(error.value()), 0});
    }
  }
}

}  // namespace

std::vector<ListedCapture> list_captures(const std::vector<std::string>& names) {
  std::vector<ListedCapture> all;
  for (const std::string& name : names) {
    std::error_code unknown;
    if (name == "-" || !fs::is_directory(name, unknown)) {
      all.push_back(listed(name));
      continue;
    }
    std::vector<ListedCapture> found;
    walk(name, found);
    std::sort(found.begin(), found.end(),
              [](const ListedCapture& a, const ListedCapture& b) { return a.path < b.path; });
    if (found.empty()) {
      found.push_back({name, "has no captures (" + std::string(kEndings) + ")", 0});
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::vector<std::string> readable(const std::vector<ListedCapture>& captures) {
  std::vector<std::string> paths;
  for (const ListedCapture& capture : captures) {
    if (capture.trouble.empty()) {
      paths.push_back(capture.path);
    }
  }
  return paths;
}

}  // namespace steertag::host
