#include "run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "start.h"

#ifdef STEERTAG_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

namespace steertag::hostile {
namespace {

constexpr unsigned kPatience = 120;    // seconds by the clock, should it wait for what never comes
constexpr rlim_t kMostComputing = 30;  // seconds
#ifdef STEERTAG_SANITIZED
constexpr int kLeaked = 23;  // the status that the sanitizer has for it
#endif

// What was written there, which is then forgotten.
std::string take(int fd) {
  std::string text(static_cast<size_t>(lseek(fd, 0, SEEK_END)), '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
    std::perror("hostile");
  }
  return text;
}

[[noreturn]] void be_the_command(const std::vector<std::string>& arguments, int in, int out, int err) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  alarm(kPatience);
  const rlimit limit{kMostComputing, kMostComputing}, none{0, 0};
  setrlimit(RLIMIT_CPU, &limit);
  setrlimit(RLIMIT_CORE, &none);
  std::vector<std::string> owned{"steertag"};
  owned.insert(owned.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : owned) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  int status = cli::start(static_cast<int>(owned.size()), pointers.data());
  std::fflush(nullptr);
#ifdef STEERTAG_SANITIZED
  if (__lsan_do_recoverable_leak_check() != 0) {  // as at the end of a process; _exit() looks for none
    status = kLeaked;
  }
#endif
  _exit(status);  // without what this process does at its end
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

Runner::Runner() {
  std::string pattern =
      std::filesystem::exists("/dev/shm") ? "/dev/shm/hostile-XXXXXX" : "/tmp/hostile-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    std::perror("hostile: no folder");
    std::exit(2);
  }
  folder_ = pattern;
  out_ = memfd_create("out", MFD_CLOEXEC);
  err_ = memfd_create("err", MFD_CLOEXEC);
}

Runner::~Runner() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  close(out_);
  close(err_);
}

std::string Runner::put(const std::string& name, std::string_view data) const {
  std::ofstream file(path(name), std::ios::binary);
  file.write(data.data(), static_cast<std::streamsize>(data.size()));
  return path(name);
}

std::string Runner::read(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void Runner::remove(const std::string& name) const {
  std::filesystem::remove(path(name));
}

size_t Runner::files() const {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
}

Outcome Runner::run(const std::vector<std::string>& arguments, const std::string& input) const {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int in = open(input.empty() ? "/dev/null" : path(input).c_str(), O_RDONLY);
    be_the_command(arguments, in, out_, err_);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) {
    std::perror("hostile: no process");
    std::exit(2);
  }
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  outcome.out = take(out_);
  outcome.err = take(err_);
  return outcome;
}

}  // namespace steertag::hostile

#ifdef STEERTAG_SANITIZED
// Leaks are looked for where the command ends, not where this process does.
extern "C" const char* __asan_default_options() {
  return "leak_check_at_exit=0";
}
#endif
