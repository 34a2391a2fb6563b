#include "host/clerk.h"
#include "host/privileges.h"
#include "host/sandbox.h"

// The list was made for these; others have other names for the same (mmap2, _llseek), or the words of an
// argument the other way round.
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#define STEERTAG_FILTERS
#endif

namespace steertag::host {

#ifdef STEERTAG_FILTERS
namespace {

// Whatever is not named is answered as by a kernel that is older than the C library: to this answer C
// libraries have another way, so that their next version does not break ours (clone3, whose flags no filter
// can see, is followed by clone). After EPERM they would give up.
constexpr uint32_t unknown_call = SECCOMP_RET_ERRNO | ENOSYS;
// What nothing in this process ever has a reason to try ends it: whoever does is not us.
constexpr uint32_t deadly = SECCOMP_RET_KILL_PROCESS;

#ifdef __x86_64__
constexpr uint32_t own_architecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#endif

// The program that the kernel runs at each call, rule after rule; the first that fits has the answer. Calls
// that are allowed whatever their arguments it runs only once, and remembers. libseccomp would write it as
// well, but where memory runs out meanwhile, it crashes, hangs or writes another program; this takes none.
class CallFilter {
 public:
  CallFilter() {
    // 32-bit programs have other numbers, and on x86-64 there is a third set with this bit.
    constexpr uint32_t third_set = 0x40000000;
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0);
    add(BPF_RET | BPF_K, deadly);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
    add(BPF_JMP | BPF_JGE | BPF_K, third_set, 0, 1);
    add(BPF_RET | BPF_K, deadly);
  }

  void allow(std::initializer_list<uint32_t> calls) { answer(SECCOMP_RET_ALLOW, calls); }
  // Where these bits of an argument are as given; of its lower word, where all flags are. Several may be said
  // of one call.
  void allow(uint32_t call, size_t argument, uint32_t mask, uint32_t bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
    add(BPF_LD | BPF_W | BPF_ABS,
        static_cast<uint32_t>(offsetof(seccomp_data, args) + argument * sizeof(uint64_t)));
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    add(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));  // for the rules that come
  }
  void kill(std::initializer_list<uint32_t> calls) { answer(deadly, calls); }

  bool load() {
    add(BPF_RET | BPF_K, unknown_call);
    if (size_ > code_.size()) {
      return false;
    }
    const sock_fprog program{static_cast<unsigned short>(size_), code_.data()};
    // Of all threads. No foreign code runs here, so no loads need to be held back, which older kernels do
    // otherwise.
    constexpr unsigned flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
  }

 private:
  void add(unsigned code, uint32_t k, uint8_t if_so = 0, uint8_t if_not = 0) {
    if (size_ < code_.size()) {
      code_[size_] = {static_cast<uint16_t>(code), if_so, if_not, k};
    }
    ++size_;
  }
  void answer(uint32_t answer, std::initializer_list<uint32_t> calls) {
    for (const uint32_t call : calls) {
      add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
      add(BPF_RET | BPF_K, answer);
    }
  }

  std::array<sock_filter, 200> code_{};
  size_t size_ = 0;
};

constexpr uint32_t all_bits = UINT32_MAX;
constexpr uint32_t written = O_ACCMODE | O_CREAT | O_TRUNC;  // of the flags that open a file

// Of a process that computes, in several threads.
void allow_life(CallFilter& filter) {
  filter.allow({SYS_futex,
                SYS_brk,
                SYS_munmap,
                SYS_mremap,
                SYS_madvise,
                SYS_sched_yield,
                SYS_sched_getaffinity,
                SYS_clock_gettime,
                SYS_clock_nanosleep,
                SYS_getrandom,
                SYS_getpid,
                SYS_gettid,
                SYS_set_robust_list,
                SYS_rseq,
                SYS_rt_sigaction,
                SYS_rt_sigprocmask,
                SYS_rt_sigreturn,
                SYS_sigaltstack,
                SYS_restart_syscall,
                SYS_exit,
                SYS_exit_group});
  filter.allow(SYS_mmap, 2, PROT_EXEC, 0);
  filter.allow(SYS_mprotect, 2, PROT_EXEC, 0);
  filter.allow(SYS_clone, 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM);
  filter.allow(SYS_tgkill, 0, all_bits, static_cast<uint32_t>(getpid()));  // abort()
}

// Of one that reads and writes what is open.
void allow_work(CallFilter& filter, const Needs& needs) {
  filter.allow({SYS_read, SYS_write, SYS_lseek, SYS_ppoll, SYS_fstat, SYS_fsync, SYS_close});
#ifdef __x86_64__  // which has a call of its own for these
  filter.allow({SYS_poll, SYS_pause});
#endif
  if (!needs.read_again.empty()) {  // which files, Landlock knows
    filter.allow(SYS_openat, 2, written, O_RDONLY);
    filter.allow({SYS_newfstatat, SYS_pread64});
  }
  if (clerk_engaged()) {
    filter.allow({SYS_sendto, SYS_recvmsg, SYS_shutdown, SYS_wait4});
  }
  if (needs.pager) {
    filter.allow({SYS_wait4});
  }
  if (needs.captures) {  // libpcap asks what was dropped, and whether the interface is still there
    filter.allow({SYS_getsockopt, SYS_recvfrom});
    filter.allow(SYS_ioctl, 1, all_bits, SIOCGIFINDEX);
    filter.allow(SYS_ioctl, 1, all_bits, SIOCGIFFLAGS);
  }
}

// Of the clerk.
void allow_errands(CallFilter& filter, const Needs& needs) {
  filter.allow({SYS_recvfrom, SYS_sendmsg, SYS_close, SYS_renameat, SYS_unlinkat});
  if (needs.series != nullptr) {  // files have to be new
    filter.allow(SYS_openat, 2, written | O_EXCL, O_RDWR | O_CREAT | O_EXCL);
    filter.allow({SYS_renameat2, SYS_newfstatat});
  }
}

#ifdef STEERTAG_SANITIZED
// At the end LeakSanitizer stops all threads, by a task that is none of them, and reads what they hold.
// Whether memory can be read, UndefinedBehaviorSanitizer asks a pipe.
void allow_sanitizers(CallFilter& filter) {
  filter.allow({SYS_ptrace, SYS_clone, SYS_wait4, SYS_prctl, SYS_getdents64, SYS_readlinkat, SYS_getppid,
                SYS_newfstatat, SYS_pipe2, SYS_prlimit64});
  filter.allow(SYS_openat, 2, written, O_RDONLY);
#ifdef __x86_64__
  filter.allow({SYS_readlink, SYS_stat, SYS_getdents});
  filter.allow(SYS_open, 1, written, O_RDONLY);
#endif
}
#endif

}  // namespace

bool restrict_system_calls(const Needs& needs) {
  CallFilter filter;
#ifdef STEERTAG_SANITIZED
  allow_sanitizers(filter);
#endif
  allow_life(filter);
  if (needs.folders.empty()) {
    allow_work(filter, needs);
  } else {
    allow_errands(filter, needs);
  }
  filter.kill({SYS_execve, SYS_execveat, SYS_socket, SYS_socketpair, SYS_connect, SYS_ptrace,
               SYS_process_vm_readv, SYS_process_vm_writev});
  return filter.load();
}
#else
bool restrict_system_calls(const Needs& /*needs*/) {
  return false;
}
#endif

}  // namespace steertag::host
