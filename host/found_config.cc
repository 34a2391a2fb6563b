#include "host/found_config.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "host/config_file.h"
#include "host/failure.h"
#include "host/found_file.h"

namespace steertag::host {

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
