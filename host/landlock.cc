#include "host/privileges.h"
#include "host/sandbox.h"

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#endif

namespace steertag::host {

#if defined(__linux__) && __has_include(<linux/landlock.h>)
namespace {

// What can be refused, as the kernel names it: include/uapi/linux/landlock.h, whose installed copy may be
// older than the kernel. Every right over files that a version knows is one of its lowest bits.
struct Ruleset {
  uint64_t files = 0;
  uint64_t ports = 0;   // since version 4: to bind, to connect, by TCP
  uint64_t scoped = 0;  // since version 6: abstract sockets, signals, of processes outside
};

Ruleset all(int version) {
  constexpr std::array<unsigned, 6> rights = {0, 13, 14, 15, 15, 16};  // by version
  const auto known = static_cast<size_t>(version);
  const unsigned count = rights[known < rights.size() ? known : rights.size() - 1];
  return {.files = (uint64_t{1} << count) - 1,
          .ports = version >= 4 ? uint64_t{3} : 0,
          .scoped = version >= 6 ? uint64_t{3} : 0};
}

bool allow(int ruleset, int fd, uint64_t rights) {
  const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = fd};
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
}

bool allow(int ruleset, const char* path, uint64_t rights) {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  const bool allowed = fd >= 0 && allow(ruleset, fd, rights);
  if (fd >= 0) {
    close(fd);
  }
  return allowed;
}

bool allow(int ruleset, const Needs& needs) {
  for (const std::string& path : needs.read_again) {
    if (!allow(ruleset, path.c_str(), LANDLOCK_ACCESS_FS_READ_FILE)) {
      return false;
    }
  }
#ifdef STEERTAG_SANITIZED  // a report says what is mapped where, and which threads there are
  allow(ruleset, "/proc", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
#endif
  // Of the clerk: a temporary file is open; what is left is to give it its name, over what has that name, or
  // to remove it.
  return std::all_of(needs.folders.begin(), needs.folders.end(), [&](int folder) {
    constexpr uint64_t named = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
    constexpr uint64_t made = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    return allow(ruleset, folder, needs.series != nullptr ? named | made : named);
  });
}

}  // namespace

int restrict_paths(const Needs& needs) {
  const auto version =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version <= 0) {
    return 0;
  }
  const Ruleset refused = all(version);
  const auto ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &refused, sizeof refused, 0));
  if (ruleset < 0) {
    return 0;
  }
  // Where a rule cannot be had (a file system without it), a finding that is not written would be the price.
  const bool done = allow(ruleset, needs) && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return done ? version : 0;
}
#else
int restrict_paths(const Needs& /*needs*/) {
  return 0;
}
#endif

}  // namespace steertag::host
