#include "host/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cerrno>

namespace steertag::host {

bool fill_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) {
      continue;
    }
    // The lowest number that is free is the one to be filled. O_PATH: a name without the contents.
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd && open("/", O_PATH) != fd) {
      return false;
    }
  }
  return true;
}

namespace {

struct Inherited {
  std::bitset<1 << 16> numbers;
  int end = 0;  // behind the highest
};
Inherited& inherited() {
  static Inherited all;
  return all;
}

bool names(const std::string& path, int fd) {
  const std::string number = std::to_string(fd);
  return path == "/dev/fd/" + number || path == "/proc/self/fd/" + number;
}

}  // namespace

void note_inherited_descriptors() {
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) {
    return;
  }
  while (const dirent* const entry = readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): there is one thread
    const int fd = std::atoi(entry->d_name);             // "." and "..": 0
    if (fd <= STDERR_FILENO || fd == dirfd(folder)) {
      continue;
    }
    Inherited& all = inherited();
    if (static_cast<size_t>(fd) >= all.numbers.size()) {
      close(fd);
    } else {
      all.numbers.set(static_cast<size_t>(fd));
      all.end = std::max(all.end, fd + 1);
    }
  }
  closedir(folder);
}

void close_inherited_descriptors(std::span<const std::string> to_open) {
  Inherited& all = inherited();
  for (int fd = 0; fd < all.end; ++fd) {
    if (all.numbers.test(static_cast<size_t>(fd)) &&
        std::none_of(to_open.begin(), to_open.end(),
                     [fd](const std::string& path) { return names(path, fd); })) {
      close(fd);
    }
  }
  all.end = 0;
}

bool may_open(size_t files) {
  constexpr rlim_t others = 16;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return true;  // opening them will show
  }
  const rlim_t needed = files + others;
  if (needed > limit.rlim_cur) {
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  return needed <= limit.rlim_cur;
}

}  // namespace steertag::host
