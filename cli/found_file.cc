#include "found_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <list>
#include <system_error>
#include <utility>
#include <vector>

#include "failure.h"

namespace steertag::cli {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // that the kernel follows, too

// Where a path leads, link by link.
struct Way {
  fs::path end = "/";             // without links; as far as it could be followed
  std::vector<fs::path> folders;  // of each link, then of the end
  int error = 0;                  // errno: why it could not be followed to its end
};

Way follow(const fs::path& path) {
  Way way;
  std::list<fs::path> steps(path.begin(), path.end());
  for (int links = 0; !steps.empty() && way.error == 0;) {
    const fs::path step = std::move(steps.front());
    steps.pop_front();
    if (step.empty() || step == "." || step == "/") {
      continue;
    }
    const fs::path next = step == ".." ? way.end.parent_path() : way.end / step;
    struct stat facts {};
    if (lstat(next.c_str(), &facts) != 0) {
      way.error = errno;
    } else if (!S_ISLNK(facts.st_mode)) {
      way.end = next;
    } else {
      way.folders.push_back(way.end);
      std::error_code error;
      const fs::path target = fs::read_symlink(next, error);
      way.error = ++links > kMostLinks ? ELOOP : error.value();
      way.end = target.is_absolute() ? "/" : way.end;
      steps.insert(steps.begin(), target.begin(), target.end());
    }
  }
  way.folders.push_back(way.error == 0 ? way.end.parent_path() : way.end);
  return way;
}

bool says_that_there_is_none(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

// Empty where nobody else may write to it. A list of access rights shows in the rights of the group.
std::string doubt_of(const struct stat& facts, const std::string& what) {
  if (facts.st_uid != 0 && facts.st_uid != geteuid()) {
    return fmt::format("{} belongs to user {}", what, facts.st_uid);
  }
  if ((facts.st_mode & S_IWOTH) != 0) {
    return "anybody may write to " + what;
  }
  if ((facts.st_mode & S_IWGRP) != 0) {
    return fmt::format("group {} may write to {}", facts.st_gid, what);
  }
  return {};
}

// Open, and judged: `doubt` and `error` stay as they are where they say something already.
Descriptor opened_folder(const fs::path& path, std::string& doubt, int& error) {
  Descriptor folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!folder.open() || fstat(folder.number(), &facts) != 0) {
    error = error == 0 ? errno : error;
  } else if (doubt.empty()) {
    doubt = doubt_of(facts, path.string());
  }
  return folder;
}

}  // namespace

std::optional<FoundFile> look_at_found(const std::string& path) {
  const Way way = follow(path);
  if (says_that_there_is_none(way.error)) {
    return std::nullopt;
  }
  FoundFile found{.file = Descriptor(-1), .path = way.end, .doubt = {}, .error = way.error};
  for (size_t i = 0; i + 1 < way.folders.size(); ++i) {
    opened_folder(way.folders[i], found.doubt, found.error);
  }
  const Descriptor folder = opened_folder(way.folders.back(), found.doubt, found.error);
  if (found.error != 0) {
    return found;
  }
  const std::string name = way.end.filename();
  Descriptor file(openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  found.error = file.open() ? 0 : errno;
  if (says_that_there_is_none(found.error)) {
    return std::nullopt;
  }
  struct stat facts {};
  if ((file.open() ? fstat(file.number(), &facts)
                   : fstatat(folder.number(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW)) != 0) {
    found.error = errno;
    return found;
  }
  const std::string own = doubt_of(facts, "it");
  return FoundFile{.file = std::move(file),
                   .path = found.path,
                   .doubt = own.empty() ? found.doubt : own,
                   .error = found.error,
                   .regular = S_ISREG(facts.st_mode)};
}

}  // namespace steertag::cli
