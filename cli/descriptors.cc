#include "descriptors.h"

#include <fcntl.h>
#include <unistd.h>

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

}  // namespace steertag::cli
