#include "host/tap.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "host/failure.h"
#include "host/interrupt.h"
#include "host/tap_process.h"

namespace steertag::host {
namespace {

struct Pipe {
  int out = -1, in = -1;

  void open(int flags = 0) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | flags) != 0) {
      throw Failure(reason(errno));
    }
    out = ends[0];
    in = ends[1];
  }
};

}  // namespace

Tap::Tap(const RunOptions& options) : interface_(options.live.interface) {
  constexpr int kPipe = 1 << 20;  // bytes; as much as whoever is not root may have
  Pipe frames, words, leash;
  frames.open();
  words.open();
  leash.open();
#ifdef F_SETPIPE_SZ
  fcntl(frames.in, F_SETPIPE_SZ, kPipe);
#endif
  const TapSettings settings{
      .live = options.live,
      .filters = options.live.filter.empty() ? capture_filters(options) : std::vector{options.live.filter}};
  const pid_t process = fork();
  if (process == 0) {
    for (const int mine : {frames.out, words.out, leash.in}) {
      close(mine);
    }
    run_tap(settings, {.frames = frames.in, .words = words.in, .leash = leash.out});
  }
  const int error = errno;
  for (const int its : {frames.in, words.in, leash.out}) {
    close(its);
  }
  frames_ = frames.out;
  words_ = words.out;
  if (process < 0) {
    close(leash.in);
    throw Failure(interface_ + ": " + reason(error));
  }
  const std::string said = hear();
  if (said != kTapReady) {
    close(leash.in);
    throw Failure(said.empty() ? interface_ + ": the process that captures has ended" : said);
  }
  close_on_interrupt(leash.in);
}

Tap::~Tap() {
  for (const int fd : {frames_, words_}) {
    if (fd >= 0) {
      close(fd);
    }
  }
}

int Tap::take_frames() {
  return std::exchange(frames_, -1);
}

std::string Tap::hear() {
  std::string said;
  for (char one = 0;;) {
    const ssize_t got = read(words_, &one, 1);
    if (got == 1 && one != '\n') {
      said += one;
    } else if (got >= 0 || errno != EINTR) {
      return said;
    }
  }
}

std::string Tap::trouble() {
  const std::string said = hear();
  if (said == kTapDone) {
    return {};
  }
  return interface_ + ": " + (said.empty() ? "the process that captures has ended" : said);
}

}  // namespace steertag::host
