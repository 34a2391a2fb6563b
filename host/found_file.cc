#include "host/found_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <list>
#include <string_view>
#include <utility>

namespace steertag::host {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // that the kernel follows, too

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

// What a path names, neither open for reading nor followed where it is a link.
struct Reached {
  Descriptor descriptor{-1};
  fs::path path;
  struct stat facts {};
};

// Where a path leads, step by step and link by link. Each step is made from the folder that the one before
// has reached, whatever its name leads to meanwhile.
class Way {
 public:
  explicit Way(const fs::path& path) : steps_(path.begin(), path.end()) {
    while (!steps_.empty() && error_ == 0 && doubt_.empty()) {
      const fs::path name = std::move(steps_.front());
      steps_.pop_front();
      if (!name.empty() && name != ".") {
        step(name);
      }
    }
  }

  const Reached& end() const { return end_; }  // no link; as far as it could be followed
  const Reached& folder() const { return folder_; }
  const std::string& doubt() const { return doubt_; }  // why it was not followed further
  int error() const { return error_; }                 // errno: why it could not be

 private:
  void step(const fs::path& name) {
    Reached next{.descriptor = Descriptor(
                     openat(end_.descriptor.number(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)),
                 .path = name == ".." ? end_.path.parent_path() : end_.path / name};
    if (!next.descriptor.open() || fstat(next.descriptor.number(), &next.facts) != 0) {
      error_ = errno;
    } else if (S_ISLNK(next.facts.st_mode)) {
      doubt_ = doubt_of(end_.facts, end_.path.string());
      follow(next.descriptor);
    } else {
      folder_ = std::exchange(end_, std::move(next));
    }
  }

  void follow(const Descriptor& link) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = readlinkat(link.number(), "", target.data(), target.size());
    if (size < 0 || ++links_ > kMostLinks) {
      error_ = size < 0 ? errno : ELOOP;
      return;
    }
    const fs::path path(std::string_view(target.data(), static_cast<size_t>(size)));
    steps_.insert(steps_.begin(), path.begin(), path.end());
  }

  std::list<fs::path> steps_;
  Reached folder_, end_;
  std::string doubt_;
  int error_ = 0, links_ = 0;
};

}  // namespace

std::optional<FoundFile> look_at_found(const std::string& path) {
  const Way way(path);
  if (says_that_there_is_none(way.error())) {
    return std::nullopt;
  }
  FoundFile found{.file = Descriptor(-1), .path = way.end().path, .doubt = way.doubt(), .error = way.error()};
  if (found.error != 0 || !found.doubt.empty()) {
    return found;
  }
  found.regular = S_ISREG(way.end().facts.st_mode);
  found.doubt = doubt_of(way.end().facts, "it");
  if (found.doubt.empty()) {
    found.doubt = doubt_of(way.folder().facts, way.folder().path.string());
  }
  if (found.regular && found.doubt.empty()) {
    found.file = Descriptor(openat(way.folder().descriptor.number(), way.end().path.filename().c_str(),
                                   O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    found.error = found.file.open() ? 0 : errno;
  }
  return found;
}

}  // namespace steertag::host
