// Enters the sandbox of the command, or a part of it, and then does what the command never does; sandbox_test
// runs it and says what must become of each attempt.
//
// usage: misbehave none|landlock|filter|user|all|clerk ATTEMPT ALLOWED FOLDER OTHER
//
// ALLOWED is a file that may be read again, or "": none; FOLDER is where a file gets its name, which is for
// the clerk to do; OTHER is a file elsewhere. Exits with 0 where the attempt succeeds, with 1 and the reason
// where it is refused.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "host/privileges.h"
#include "host/sandbox.h"
#include "host/target.h"

namespace {

using namespace steertag::host;

constexpr size_t page = 4096;  // bytes
int secret = 7;                // of another process

// What there is before the sandbox is entered.
struct Before {
  std::string allowed, folder, other;
  int folder_fd = -1;
  pid_t child = -1;  // does nothing, and ends with us
  sockaddr_in address{};
  int socket = -1;
  void* memory = nullptr;
};

pid_t start_child() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return -1;
  }
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char none = 0;
    _exit(read(ends[0], &none, 1) == 0 ? 0 : 1);
  }
  return child;
}

// A socket, and the address of another one that listens.
void open_sockets(Before& before) {
  socklen_t size = sizeof before.address;
  before.address.sin_family = AF_INET;
  before.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  auto* address = reinterpret_cast<sockaddr*>(&before.address);
  if (bind(listening, address, size) != 0 || listen(listening, 1) != 0 ||
      getsockname(listening, address, &size) != 0) {
    std::perror("misbehave: no socket to connect to");
  }
  before.socket = socket(AF_INET, SOCK_STREAM, 0);
}

bool is_done(int descriptor) {
  return descriptor >= 0;
}
bool is_open(const std::string& path, int flags) {
  return is_done(open(path.c_str(), flags, 0600));
}
bool connects(const Before& before) {
  return connect(before.socket, reinterpret_cast<const sockaddr*>(&before.address), sizeof before.address) ==
         0;
}
bool reads_process(pid_t process) {
  int found = 0;
  const iovec here{&found, sizeof found}, there{&secret, sizeof secret};
  return process_vm_readv(process, &here, 1, &there, 1, 0) == sizeof found && found == secret;
}
bool forks() {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  return child > 0;
}
bool in_a_thread(const std::function<bool()>& attempt) {
  bool done = false;
  int error = 0;
  std::thread([&] {
    done = attempt();
    error = errno;
  }).join();
  errno = error;
  return done;
}

using Attempts = std::map<std::string, std::function<bool()>>;

Attempts with_files(const Before& before) {
  return {
      {"read", [&] { return is_open(before.other, O_RDONLY); }},
      {"read-passwords", [] { return is_open("/etc/shadow", O_RDONLY); }},
      {"read-again", [&] { return is_open(before.allowed, O_RDONLY); }},
      {"write-again", [&] { return is_open(before.allowed, O_WRONLY); }},
      {"list", [] { return is_open("/", O_RDONLY | O_DIRECTORY); }},
      {"create", [&] { return is_open(before.other + ".new", O_WRONLY | O_CREAT); }},
      {"create-in-folder", [&] { return is_open(before.folder + "/new", O_WRONLY | O_CREAT); }},
      {"make-in-folder", [&] { return is_open(before.folder + "/new", O_RDWR | O_CREAT | O_EXCL); }},
      {"rename", [&] { return renameat(before.folder_fd, "temporary", before.folder_fd, "result") == 0; }},
      {"rename-into",
       [&] { return renameat(AT_FDCWD, before.other.c_str(), before.folder_fd, "result") == 0; }},
      {"rename-out",
       [&] { return renameat(before.folder_fd, "temporary", AT_FDCWD, before.other.c_str()) == 0; }},
      {"remove", [&] { return unlinkat(before.folder_fd, "temporary", 0) == 0; }},
      {"remove-other", [&] { return unlinkat(AT_FDCWD, before.other.c_str(), 0) == 0; }},
  };
}

Attempts with_processes(const Before& before) {
  return {
      {"exec", [] { return execl("/bin/true", "true", nullptr) == 0; }},
      {"fork", forks},
      {"thread", [] { return in_a_thread([] { return true; }); }},
      {"socket", [] { return is_done(socket(AF_INET, SOCK_STREAM, 0)); }},
      {"socket-in-thread",
       [] { return in_a_thread([] { return is_done(socket(AF_INET, SOCK_STREAM, 0)); }); }},
      {"connect", [&] { return connects(before); }},
      {"ptrace", [&] { return ptrace(PTRACE_SEIZE, before.child, nullptr, nullptr) == 0; }},
      {"read-process", [&] { return reads_process(before.child); }},
      {"kill", [&] { return kill(before.child, SIGTERM) == 0; }},
      {"abort", []() -> bool { std::abort(); }},
      {"map-code",
       [] {
         return mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
       }},
      {"make-code", [&] { return mprotect(before.memory, page, PROT_READ | PROT_EXEC) == 0; }},
      {"load-library", [] { return dlopen("libresolv.so.2", RTLD_NOW) != nullptr; }},
      {"become-root", [] { return setresuid(0, 0, 0) == 0; }},
  };
}

bool enter(const std::string& part, const Before& before) {
  Needs needs;
  if (!before.allowed.empty()) {
    needs.read_again = {before.allowed};
  }
  prctl(PR_SET_NO_NEW_PRIVS, part == "none" || part == "user" ? 0 : 1, 0, 0, 0);
  Series series;
  if (part == "clerk") {
    const Needs clerk{.folders = {before.folder_fd}, .series = &series};
    return restrict_paths(clerk) != 0 && restrict_system_calls(clerk);
  }
  if (part == "landlock") {
    return restrict_paths(needs) != 0;
  }
  if (part == "filter") {
    return restrict_system_calls(needs);
  }
  if (part == "user") {
    const bool became = become_ordinary();
    keep_no_rights();
    return became;
  }
  if (part == "all") {
    needs.folders = {before.folder_fd};
    std::puts(enter_sandbox(needs).text().c_str());
    std::fflush(stdout);
  }
  return part == "all" || part == "none";
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int skipped = 77, refused = 1, usage = 2;
  if (argc != 6) {
    return usage;
  }
  Before before;
  before.allowed = argv[3];
  before.folder = argv[4];
  before.other = argv[5];
  before.child = start_child();
  before.memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  open_sockets(before);
  before.folder_fd = open(before.folder.c_str(), O_PATH | O_DIRECTORY);
  Attempts attempts = with_files(before);
  attempts.merge(with_processes(before));
  const auto attempt = attempts.find(argv[2]);
  if (attempt == attempts.end()) {
    return usage;
  }
  if (!enter(argv[1], before)) {
    std::puts("this kernel has no such part");
    return skipped;
  }
  if (attempt->second()) {
    return 0;
  }
  std::puts(std::strerror(errno));
  return refused;
}
