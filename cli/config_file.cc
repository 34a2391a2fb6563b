#include "config_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <system_error>

#include "failure.h"
#include "nearest.h"
#include "out_of_memory.h"
#include "toml.h"

namespace steertag::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "steertag.toml";
constexpr const char* kSuffix = ".toml";

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return fd_; }

 private:
  const int fd_;
};

// Of a path without links: as the user would write it, where that is shorter.
std::string shortest(const fs::path& path) {
  const std::string near = path.lexically_proximate(current_folder()).string();
  return near.size() > path.string().size() ? path.string() : near;
}

// Of captures in this folder; nothing where there is none.
std::optional<std::string> nearest_config(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    std::error_code error;
    const fs::file_type type = fs::status(folder / kName, error).type();
    if (type == fs::file_type::regular) {
      return (folder / kName).string();
    }
    if (type == fs::file_type::none) {  // there may be one
      throw Failure((folder / kName).string() + ": " + error.message());
    }
    if (!folder.has_relative_path()) {
      return std::nullopt;
    }
  }
}

// Where profiles may be, the first of which counts.
std::vector<fs::path> profile_folders() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) {
    return {};
  }
  return {folder.parent_path() / "share" / "steertag" / "profiles", folder / "profiles"};
}

std::optional<std::string> profile(const std::string& name) {
  for (const fs::path& folder : profile_folders()) {
    std::error_code error;
    if (fs::is_regular_file(folder / (name + kSuffix), error)) {
      return (folder / (name + kSuffix)).string();
    }
  }
  return std::nullopt;
}

std::vector<std::string> profiles() {
  std::vector<std::string> names;
  for (const fs::path& folder : profile_folders()) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (entry->path().extension() == kSuffix) {
        names.push_back(entry->path().stem().string());
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string read_file(const std::string& path, Named named) {
  // Of what is no regular file, opening it may have to wait for somebody.
  const Descriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | (named == Named::by_file ? O_NONBLOCK : 0)));
  struct stat facts {};
  if (file.number() < 0 || fstat(file.number(), &facts) != 0) {
    throw Failure(path + ": " + reason(errno));
  }
  if (named == Named::by_file && !S_ISREG(facts.st_mode)) {
    throw Failure(path + ": " + (S_ISDIR(facts.st_mode) ? reason(EISDIR) : "not a regular file"));
  }
  std::string text;
  constexpr size_t kPiece = 64 * 1024;
  for (;;) {
    const size_t size = text.size();
    text.resize(size + kPiece);
    const ssize_t got = read(file.number(), text.data() + size, kPiece);
    text.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (text.size() > kMostToml) {
      throw Failure(fmt::format("{}: longer than {} MiB", path, kMostToml >> 20));
    }
    if (got == 0) {
      return text;
    }
    if (got < 0 && errno != EINTR) {
      throw Failure(path + ": " + reason(errno));
    }
  }
}

std::optional<std::string> found_config(const std::vector<std::string>& captures) {
  std::map<std::string, std::optional<std::string>> seen;  // by folder
  std::optional<std::string> first;
  for (size_t i = 0; i < std::max<size_t>(captures.size(), 1); ++i) {
    const std::string capture = captures.empty() ? "-" : captures[i];
    std::error_code none;
    const std::string folder = capture == "-"                    ? "."
                               : fs::is_directory(capture, none) ? capture
                                                                 : home_of(capture);
    auto [found, added] = seen.try_emplace(folder);
    if (added) {
      std::error_code error;
      const fs::path whole = fs::canonical(folder, error);
      if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
        throw Failure(capture + ": " + error.message());
      }
      found->second = error ? std::nullopt : nearest_config(whole);  // run() says that there is no capture
    }
    if (i == 0) {
      first = found->second;
    } else if (found->second != first) {
      const auto of = [](const std::optional<std::string>& config) {
        return config ? shortest(*config) : "none";
      };
      throw Failure(
          fmt::format("{} and {}: have different configurations ({} and {}); choose with --config, or "
                      "--no-config",
                      shown(captures[0]), shown(capture), of(first), of(found->second)));
    }
  }
  return first ? std::optional(shortest(*first)) : first;
}

std::string resolved(const std::string& name, const std::string& folder) {
  const bool bare = !name.empty() && name.find('/') == std::string::npos && !name.ends_with(kSuffix);
  if (bare) {
    if (std::optional<std::string> path = profile(name)) {
      return *path;
    }
  }
  std::string path = folder.empty() ? name : (fs::path(folder) / name).lexically_normal().string();
  std::error_code error;
  if (bare && !fs::exists(path, error)) {
    const std::vector<std::string> names = profiles();
    const std::string meant = did_you_mean(name, names);
    throw Failure(fmt::format(
        "{}: no such file, and no such profile{}", name,
        !meant.empty() || names.empty() ? meant : fmt::format("; there are {}", fmt::join(names, ", "))));
  }
  return path;
}

std::string current_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  if (error == std::errc::not_enough_memory) {
    out_of_memory();
  }
  return folder.string();
}

std::string absolute(const std::string& path) {
  return (current_folder() / fs::path(path)).lexically_normal().string();
}

std::string home_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace steertag::cli
