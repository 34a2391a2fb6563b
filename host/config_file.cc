#include "host/config_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "host/descriptors.h"
#include "host/failure.h"
#include "host/nearest.h"
#include "host/out_of_memory.h"
#include "host/toml.h"

namespace steertag::host {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSuffix = ".toml";

// Empty where it is not known. Who may write to a folder further away need not be whoever made the program.
fs::path profile_folder() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) {
    return {};
  }
  return folder.filename() == "bin" ? folder.parent_path() / "share" / "steertag" / "profiles"
                                    : folder / "profiles";
}

std::optional<std::string> profile(const std::string& name) {
  std::error_code error;
  const fs::path path = profile_folder() / (name + kSuffix);
  return path.is_absolute() && fs::is_regular_file(path, error) ? std::optional(path.string()) : std::nullopt;
}

std::vector<std::string> profiles() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(profile_folder(), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kSuffix) {
      names.push_back(entry->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string read_file(const Descriptor& file, const std::string& name) {
  std::string text;
  constexpr size_t kPiece = 64 * 1024;
  for (;;) {
    const size_t size = text.size();
    text.resize(size + kPiece);
    const ssize_t got = read(file.number(), text.data() + size, kPiece);
    text.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (text.size() > kMostToml) {
      throw Failure(fmt::format("{}: longer than {} MiB", name, kMostToml >> 20));
    }
    if (got == 0) {
      return text;
    }
    if (got < 0 && errno != EINTR) {
      throw Failure(name + ": " + reason(errno));
    }
  }
}

std::string read_file(const std::string& path, Named named) {
  // Of what is no regular file, opening it may have to wait for somebody.
  const Descriptor file(
      open(path.c_str(), O_RDONLY | O_CLOEXEC | (named == Named::by_file ? O_NONBLOCK : 0)));
  struct stat facts {};
  if (!file.open() || fstat(file.number(), &facts) != 0) {
    throw Failure(path + ": " + reason(errno));
  }
  if (named == Named::by_file && !S_ISREG(facts.st_mode)) {
    throw Failure(path + ": " + (S_ISDIR(facts.st_mode) ? reason(EISDIR) : "not a regular file"));
  }
  return read_file(file, path);
}

PolicyPath resolved(const std::string& name, const std::string& folder) {
  const bool bare = !name.empty() && name.find('/') == std::string::npos && !name.ends_with(kSuffix);
  if (bare) {
    if (std::optional<std::string> path = profile(name)) {
      return {*path, true};
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
  return {path, false};
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

}  // namespace steertag::host
