#include "host/found_config.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "host/config_file.h"
#include "host/descriptors.h"
#include "host/failure.h"

namespace steertag::host {
namespace {

// FoundFile: a file that nobody named on the command line, open for reading, and whether it may be believed:
// whether nobody but the effective user and root could have put there what it says. It and its folder belong
// to one of these, and neither group nor others may write to them. A folder that anybody may write to is not
// safe because it is sticky, as /tmp is: somebody else may have made the file. Of a link, what it leads to is
// judged, and the folder of each link on the way. What is not to be believed is neither followed nor opened:
// opening a device does something, and a link may lead to one.
//
// The folder is reached by its descriptor, step by step, and judged by that: what happens to names on the way
// meanwhile does not matter. Within it, nobody else can change what the name of the file leads to.
struct FoundFile {
  Descriptor file;       // negative where it is not open
  std::string path;      // without links; as far as they were followed
  std::string doubt;     // why it is not to be believed: "anybody may write to it"; empty: it may be
  int error = 0;         // errno: why it could not be opened, or looked at
  bool regular = false;  // then, with neither doubt nor error, it is open
};

namespace fs = std::filesystem;

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

// `path`: absolute. Nothing where there is no such file.
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

}  // namespace

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "steertag.toml";

// As the user would write it, where that is shorter.
std::string shortest(const fs::path& path) {
  const std::string near = path.lexically_proximate(current_folder()).string();
  return near.size() > path.string().size() ? path.string() : near;
}

// Empty where it is not known, or all folders are below it.
fs::path home() {
  const char* const said = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): there is one thread
  std::error_code error;
  const fs::path folder = said == nullptr ? fs::path() : fs::canonical(said, error);
  return error || !folder.has_relative_path() ? fs::path() : folder;
}

// A .git that somebody else put there makes no repository of a folder.
bool is_root_of_repository(const fs::path& folder) {
  struct stat facts {};
  return lstat((folder / ".git").c_str(), &facts) == 0 && (facts.st_uid == 0 || facts.st_uid == geteuid());
}

std::vector<fs::path> folders_to_look_in() {
  const fs::path here = current_folder();
  const fs::path end = home();
  std::vector<fs::path> all;
  for (fs::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    all.push_back(folder);
    if (folder == end || is_root_of_repository(folder)) {
      return all;
    }
    if (!folder.has_relative_path()) {
      return {here};
    }
  }
  return {};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

[[noreturn]] void refuse(const FoundConfig& config, const std::string& name, const std::string& why) {
  throw Failure(
      fmt::format("{}: baselines: {}: {}; --config {} takes it", config.path, name, why, config.path));
}

[[noreturn]] void refuse_outside(const FoundConfig& config, const std::string& name) {
  refuse(config, name, "leads out of the folder of this file, which was found and not named");
}

}  // namespace

std::optional<FoundConfig> found_config() {
  for (const fs::path& folder : folders_to_look_in()) {
    const fs::path path = folder / kName;
    const std::optional<FoundFile> found = look_at_found(path);
    if (!found) {
      continue;
    }
    const std::string name = shortest(path);
    if (!found->doubt.empty()) {
      complain(fmt::format("{}: is not used: {}; --config {} uses it", name, found->doubt, name));
    } else if (found->error != 0) {
      throw Failure(name + ": " + reason(found->error));
    } else if (found->regular) {
      return FoundConfig{name, folder, read_file(found->file, name)};
    }
  }
  return std::nullopt;
}

void refuse_leading_out(const FoundConfig& config, const std::string& name) {
  const fs::path path = name;
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
    refuse_outside(config, name);
  }
}

std::string read_found_baseline(const FoundConfig& config, const std::string& name) {
  refuse_leading_out(config, name);
  const std::string path = (fs::path(config.folder) / name).lexically_normal();
  const std::optional<FoundFile> found = look_at_found(path);
  if (!found) {
    throw Failure(shortest(path) + ": " + reason(ENOENT));
  }
  if (!is_below(found->path, config.folder)) {
    refuse_outside(config, name);
  }
  if (!found->doubt.empty()) {
    refuse(config, name, found->doubt);
  }
  if (found->error != 0) {
    throw Failure(shortest(path) + ": " + reason(found->error));
  }
  if (!found->regular) {
    const bool folder = fs::is_directory(found->path);
    throw Failure(shortest(path) + ": " + (folder ? reason(EISDIR) : "not a regular file"));
  }
  return read_file(found->file, shortest(path));
}

}  // namespace steertag::host
