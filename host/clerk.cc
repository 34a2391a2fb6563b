#include "host/clerk.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "host/failure.h"
#else
#include <cstdlib>
#endif

namespace steertag::host {

#ifdef __linux__
namespace {

volatile std::sig_atomic_t clerk = -1;  // the socket to it; in its own process, to whoever asks
constinit bool engaged = false;
constinit pid_t process = -1;  // the clerk
constinit std::mutex asking;

struct Answer {
  int32_t error = 0;
  uint64_t value = 0;
};

// A message of a size, and room for a descriptor beside it.
template <typename Content>
struct Letter {
  explicit Letter(Content& content) : piece{&content, sizeof content} {
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = room.data();
    header.msg_controllen = room.size();
  }
  Letter(const Letter&) = delete;
  Letter& operator=(const Letter&) = delete;

  iovec piece;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr header{};
};

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = 0;
  for (const int fd : kept) {
    const auto one = static_cast<unsigned>(fd);
    if (one > first) {
      close_range(first, one - 1, 0);
    }
    first = one + 1;
  }
  if (close_range(first, ~0U, 0) == 0) {
    return;
  }
  rlimit limit{};  // a kernel before 5.9
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = 0; fd < static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20)); ++fd) {
    if (!std::binary_search(kept.begin(), kept.end(), fd)) {
      close(fd);
    }
  }
}

// In its own process, where nobody is to be told anything.
void settle(std::span<const int> kept, int socket, int nothing) {
  sigset_t all;  // who ends it is whoever asks
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  constexpr std::array kStandard = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  for (const int fd : kStandard) {
    dup2(nothing, fd);
  }
  std::vector<int> left(kStandard.begin(), kStandard.end());
  left.insert(left.end(), kept.begin(), kept.end());
  left.push_back(socket);
  close_all_but(std::move(left));
  clerk = socket;
}

void answer(const Done& done) {
  Answer said{done.error, done.value};
  Letter letter(said);
  if (done.descriptor < 0) {
    letter.header.msg_controllen = 0;
  } else {
    cmsghdr* const beside = CMSG_FIRSTHDR(&letter.header);
    beside->cmsg_level = SOL_SOCKET;
    beside->cmsg_type = SCM_RIGHTS;
    beside->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(beside), &done.descriptor, sizeof(int));
  }
  sendmsg(clerk, &letter.header, MSG_NOSIGNAL);  // where nobody is left, the next errand says so
  if (done.descriptor >= 0) {
    close(done.descriptor);
  }
}

}  // namespace

bool engage_clerk(std::span<const int> kept) {
  const auto failed = [](int error) {
    return Failure("no process can be made that names the output: " + reason(error));
  };
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) {
    throw failed(errno);
  }
  int ends[2] = {-1, -1};
  const bool paired = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
  const pid_t made = paired ? fork() : -1;
  if (made == 0) {
    settle(kept, ends[1], nothing);
    return true;
  }
  const int error = errno;
  for (const int its : {nothing, ends[1], made < 0 ? ends[0] : -1}) {
    if (its >= 0) {
      close(its);
    }
  }
  if (made < 0) {
    throw failed(error);
  }
  clerk = ends[0];
  process = made;
  engaged = true;
  return false;
}

void serve(const std::function<Done(const Errand&)>& run, void (*over)()) {
  for (;;) {
    Errand errand;
    const ssize_t got = recv(clerk, &errand, sizeof errand, 0);
    if (got == sizeof errand && errand.kind <= Errand::Kind::remove) {
      answer(run(errand));
    } else {
      over();
      _exit(0);
    }
  }
}

bool clerk_engaged() {
  return engaged;
}

Done ask_clerk(const Errand& errand) {
  const std::scoped_lock lock(asking);
  Answer said;
  Letter letter(said);
  ssize_t got = 0;
  while ((got = send(clerk, &errand, sizeof errand, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  while (got >= 0 && (got = recvmsg(clerk, &letter.header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  if (got != sizeof said) {
    return {.error = ECHILD};
  }
  Done done{.error = said.error, .value = said.value};
  const cmsghdr* const beside = CMSG_FIRSTHDR(&letter.header);
  if (beside != nullptr && beside->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&done.descriptor, CMSG_DATA(beside), sizeof(int));
  }
  return done;
}

void dismiss_clerk() noexcept {
  if (!engaged) {
    return;
  }
  shutdown(clerk, SHUT_WR);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}
#else
bool engage_clerk(std::span<const int> /*kept*/) {
  return false;
}
void serve(const std::function<Done(const Errand&)>& /*run*/, void (*over)()) {
  over();
  std::abort();
}
bool clerk_engaged() {
  return false;
}
Done ask_clerk(const Errand& /*errand*/) {
  return {};
}
void dismiss_clerk() noexcept {}
#endif

}  // namespace steertag::host
