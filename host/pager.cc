#include "host/pager.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

#include "host/failure.h"
#include "host/progress.h"
#include "host/terminal.h"
#include "report/fold.h"

namespace steertag::host {
namespace {

constinit std::atomic<Pager*> prepared = nullptr;

std::string_view variable(const char* name) {
  const char* said = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
  return said != nullptr ? said : std::string_view();
}

// Whether a shell would find the first word of a command. What is more than a word is the shell's business.
bool found(std::string_view command) {
  const std::string word(command.substr(0, command.find_first_of(" \t")));
  if (word.find_first_of("'\"\\$`;&|<>()*?[]#~=%{}!\n") != std::string::npos) {
    return true;
  }
  if (word.find('/') != std::string::npos) {
    return access(word.c_str(), X_OK) == 0;
  }
  for (std::string_view path = variable("PATH"); !path.empty();) {
    const std::string folder(path.substr(0, path.find(':')));
    if (access(((folder.empty() ? "." : folder) + "/" + word).c_str(), X_OK) == 0) {
      return true;
    }
    path.remove_prefix(std::min(folder.size() + 1, path.size()));
  }
  return false;
}

// Nobody waits for what runs there.
bool in_background() {
  const pid_t front = tcgetpgrp(STDOUT_FILENO);
  return front >= 0 && front != getpgrp();
}

// In the process of the pager: until there is something to show, it is not to be noticed.
[[noreturn]] void become(const char* command, int input) {
  constexpr int kUnused[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU};
  for (const int signal : kUnused) {
    std::signal(signal, SIG_IGN);
  }
  pollfd first{.fd = input, .events = POLLIN, .revents = 0};
  while (poll(&first, 1, -1) < 0 && errno == EINTR) {
  }
  if ((first.revents & POLLIN) == 0 || dup2(input, STDIN_FILENO) < 0) {
    _exit(0);
  }
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE, SIGXFSZ}) {
    std::signal(signal, SIG_DFL);
  }
  execl("/bin/sh", "sh", "-c", command, nullptr);
  _exit(127);
}

}  // namespace

std::string_view Pager::command() {
  constexpr std::string_view kDefault = "less -FRX";
  for (const char* name : {"STEERTAG_PAGER", "PAGER"}) {
    if (std::getenv(name) == nullptr) {  // NOLINT(concurrency-mt-unsafe): there is one thread
      continue;
    }
    const std::string_view said = variable(name);
    if (said.find_first_not_of(' ') == std::string_view::npos || said == "cat") {
      return {};
    }
    if (!found(said)) {
      complain(std::string(name) + ": " + std::string(said) + ": not found; shown without a pager");
      return {};
    }
    return said;
  }
  return found(kDefault) ? kDefault : std::string_view();
}

void Pager::prepare() {
  const std::string_view term = variable("TERM");
  if (isatty(STDOUT_FILENO) != 1 || term.empty() || term == "dumb" || !variable("CI").empty() ||
      in_background()) {
    return;
  }
  const Screen screen = terminal_screen();
  const std::string command(Pager::command());
  int ends[2];
  if (command.empty() || screen.rows == 0 || pipe2(ends, O_CLOEXEC) != 0) {
    return;
  }
  // As git has them: colours are shown, and what fits the screen stays there.
  setenv("LESS", "FRX", 0);  // NOLINT(concurrency-mt-unsafe): there is one thread
  setenv("LV", "-c", 0);     // NOLINT(concurrency-mt-unsafe)
  process_ = fork();
  if (process_ == 0) {
    ::close(ends[1]);
    become(command.c_str(), ends[0]);
  }
  ::close(ends[0]);
  if (process_ < 0) {
    ::close(ends[1]);
    return;
  }
  pipe_ = ends[1];
  complaints_ = isatty(STDERR_FILENO) == 1;
  rows_ = screen.rows;
  columns_ = screen.columns;
  prepared = this;
}

bool Pager::fits(std::string_view lines) {
  for (; !lines.empty() && filled_ < rows_; ++filled_) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const size_t wide = report::columns_of(lines.substr(0, std::min(end, rows_ * columns_ * 4)));
    filled_ += columns_ == 0 || wide == 0 ? 0 : (wide - 1) / columns_;
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return filled_ < rows_;  // one is for the prompt
}

int Pager::start() {
  Progress::clear();
  Progress::silence();
  if (complaints_) {
    hold_complaints();
  }
  runs_ = true;
  return pipe_;
}

void Pager::leave() noexcept {
  prepared = nullptr;
  if (pipe_ < 0) {
    return;
  }
  ::close(std::exchange(pipe_, -1));
  struct sigaction ignore {
  }, interrupt{}, quit{};
  ignore.sa_handler = SIG_IGN;  // whoever presses Ctrl-C means the pager
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGQUIT, &quit, nullptr);
  if (std::exchange(runs_, false)) {
    release_complaints();
  }
}

void Pager::leave_now() noexcept {
  if (Pager* pager = prepared.exchange(nullptr)) {
    ::close(std::exchange(pager->pipe_, -1));
    std::signal(SIGINT, SIG_IGN);
    while (waitpid(pager->process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

}  // namespace steertag::host
