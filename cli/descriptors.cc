#include "descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace steertag::cli {

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

}  // namespace steertag::cli
