#include "host/target.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "host/failure.h"
#include "host/interrupt.h"

namespace steertag::host {
namespace {

constinit std::atomic<Target*> unfinished = nullptr;  // the latest first
constinit std::mutex listing;  // for who changes it: whoever ends the process only looks
constinit uint64_t numbered = 0;
std::string fates;  // of those that were given up

[[noreturn]] void fail(const std::string& path, int error) {
  throw Failure(path + ": " + reason(error));
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// The number of the open descriptor that /dev/fd/N or /proc/self/fd/N is.
std::optional<int> own_descriptor(const std::string& path) {
  const std::string name = name_of(path);
  int number = -1;
  const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (wrong != std::errc() || end != name.data() + name.size() || number < 0) {
    return std::nullopt;
  }
  std::error_code error;
  const std::string folder = std::filesystem::canonical(folder_of(path), error).string();
  return !error && folder == fmt::format("/proc/{}/fd", getpid()) ? std::optional(number) : std::nullopt;
}

// What the name leads to by symbolic links, which may not be there yet; or an open descriptor.
std::string followed(std::string path) {
  constexpr int most_links = 40;  // as the kernel does
  std::array<char, PATH_MAX> to;
  for (int links = 0; links < most_links && !own_descriptor(path); ++links) {
    const ssize_t size = readlink(path.c_str(), to.data(), to.size());
    if (size < 0) {
      break;
    }
    const std::string_view next(to.data(), static_cast<size_t>(size));
    path = next.starts_with('/') ? std::string(next) : fmt::format("{}/{}", folder_of(path), next);
  }
  return path;
}

int synchronise(int fd) {
  while (fsync(fd) != 0) {
    if (errno != EINTR) {
      return errno == EINVAL || errno == ENOTSUP ? 0 : errno;  // of a file system that knows nothing of it
    }
  }
  return 0;
}

}  // namespace

bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

namespace {

// The file that an output is of; of one that is not there yet its folder, and its name in it.
struct Place {
  struct stat found {};
  std::string name;
  bool replaced = false;  // by another file of that name; otherwise it is written to as it is
};

std::optional<Place> place_of(const std::string& output) {
  Place place;
  const std::string file = is_standard(output) ? std::string() : followed(output);
  const std::optional<int> number = is_standard(output) ? STDOUT_FILENO : own_descriptor(file);
  place.replaced = !number;
  bool known = (number ? fstat(*number, &place.found) : stat(file.c_str(), &place.found)) == 0;
  if (!known && !number && errno == ENOENT) {
    place.name = name_of(file);
    known = stat(folder_of(file).c_str(), &place.found) == 0;
  }
  return known && (!place.name.empty() || S_ISREG(place.found.st_mode)) ? std::optional(place) : std::nullopt;
}

}  // namespace

bool is_standard(const std::string& output) {
  return output.empty() || output == "-";
}

bool same_place(const std::string& one, const std::string& other) {
  const std::optional<Place> first = place_of(one), second = place_of(other);
  return first && second && first->name == second->name && same_file(first->found, second->found) &&
         (first->replaced || second->replaced);
}

Target::Target(const std::string& path) {
  const std::string file = followed(path);
  if (const auto number = own_descriptor(file)) {
    if ((fd_ = fcntl(*number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) < 0) {
      fail(path, errno);
    }
    return;
  }
  struct stat named {
  }, found{};
  const bool there = stat(path.c_str(), &named) == 0;
  if (!there && errno != ENOENT) {
    fail(path, errno);
  }
  // A name of /proc may lead to what has no other name.
  if (there && (!S_ISREG(named.st_mode) || stat(file.c_str(), &found) != 0 || !same_file(named, found))) {
    open_in_place(path);
    return;
  }
  if (there && faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) {
    fail(path, errno);  // whoever made it read-only wants to keep it
  }
  fate_ = base::printable("; " + path + (there ? " is as it was" : " was not written"));
  try {
    open_beside(file);
  } catch (const Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
}

Target::Target(Series& series) : folder_(series.folder), series_(&series) {
  constexpr mode_t usual = 0666;
  if (clerk_engaged()) {
    make();
  } else {
    create(usual, O_RDWR);
  }
}

Target::~Target() {
  if (replaces()) {
    const SignalsBlocked blocked;
    remove();
    unlist();
    fates += fate_;
  }
  for (const int fd : {fd_, series_ != nullptr ? -1 : folder_}) {
    if (fd >= 0) {
      close(fd);
    }
  }
}

void Target::open_in_place(const std::string& path) {
  fd_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    fail(path, errno);
  }
}

void Target::open_beside(const std::string& file) {
  constexpr mode_t usual = 0666, permissions = 0777;
  file_ = name_of(file);
  folder_ = open(folder_of(file).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) {
    throw Failure(reason(errno));
  }
  struct stat old {};
  const bool there = fstatat(folder_, file_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  const mode_t mode = there ? old.st_mode & permissions : usual;
  create(mode, O_WRONLY);
  if (there) {
    // The owner where that is allowed; otherwise it is ours.
    [[maybe_unused]] const int owner = fchown(fd_, old.st_uid, old.st_gid);
    fchmod(fd_, mode);
  }
}

void Target::create(mode_t mode, int access) {
  std::string name;
  do {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
      throw Failure(reason(errno));
    }
    name = fmt::format(".steertag-{:016x}", number);
    const SignalsBlocked blocked;  // it is there only when it is known to be
    fd_ = openat(folder_, name.c_str(), access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd_ >= 0) {
      temporary_ = std::move(name);
      list();
    }
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) {
    throw Failure(std::string(series_ ? "no file can be written: " : "no file can be written beside it: ") +
                  reason(errno));
  }
}

void Target::make() {
  const SignalsBlocked blocked;
  const Done made = ask_clerk({.kind = Errand::Kind::make});
  if (made.error != 0) {
    errno = made.error;
    throw Failure("no file can be written: " + reason(made.error));
  }
  fd_ = made.descriptor;
  number_ = made.value;
  temporary_ = "-";  // the clerk knows it
  list();
}

int Target::keep() {
  if (!replaces()) {
    return close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
  }
  if (const int error = synchronise(fd_)) {
    return error;
  }
  if (close(std::exchange(fd_, -1)) != 0) {
    return errno;
  }
  const SignalsBlocked blocked;  // it has one name or the other
  if (const int error = take_name()) {
    return error;
  }
  unlist();
  temporary_.clear();
  return 0;
}

int Target::take_name() {
  if (clerk_engaged()) {
    const Done kept = ask_clerk({.kind = Errand::Kind::keep, .target = number_});
    if (series_ != nullptr) {
      series_->latest = kept.value;
    }
    return kept.error;
  }
  if (series_ == nullptr) {
    return renameat(folder_, temporary_.c_str(), folder_, file_.c_str()) == 0 ? 0 : errno;
  }
  int error = 0;
  do {
    error = rename_new(series_->name(++series_->latest));
  } while (error == EEXIST);
  return error;
}

// EEXIST where there is a file of that name.
int Target::rename_new(const std::string& name) const {
  constexpr unsigned without_replacing = 1;  // RENAME_NOREPLACE
  if (syscall(SYS_renameat2, folder_, temporary_.c_str(), folder_, name.c_str(), without_replacing) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    return errno;
  }
  // Of a file system, or a kernel, that does not know how.
  struct stat status {};
  if (fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
    return EEXIST;
  }
  return renameat(folder_, temporary_.c_str(), folder_, name.c_str()) == 0 ? 0 : errno;
}

void Target::remove() {
  if (clerk_engaged()) {
    ask_clerk({.kind = Errand::Kind::remove, .target = number_});
  } else {
    unlinkat(folder_, temporary_.c_str(), 0);
  }
}

void Target::list() {
  const std::scoped_lock lock(listing);
  number_ = number_ != 0 ? number_ : ++numbered;
  next_ = unfinished.load();
  unfinished = this;
}

void Target::unlist() {
  const std::scoped_lock lock(listing);
  std::atomic<Target*>* link = &unfinished;
  while (link->load() != this) {
    link = &link->load()->next_;
  }
  *link = next_.load();
}

std::string Series::name(uint64_t number) const {
  return fmt::format("{}-{:06}{}", prefix, number, ending);
}

Done run_errand(const Errand& errand, Series* series) {
  static std::map<uint64_t, std::unique_ptr<Target>> made;
  if (errand.kind == Errand::Kind::make) {
    if (series == nullptr) {
      return {.error = EPERM};
    }
    try {
      auto target = std::make_unique<Target>(*series);
      const Done done{.value = target->number_, .descriptor = std::exchange(target->fd_, -1)};
      made.emplace(done.value, std::move(target));
      return done;
    } catch (const Failure&) {
      return {.error = errno};
    }
  }
  Target* target = unfinished;
  while (target != nullptr && target->number_ != errand.target) {
    target = target->next_;
  }
  if (target == nullptr) {
    return {.error = ENOENT};
  }
  Done done;
  if (errand.kind == Errand::Kind::remove) {
    target->remove();
  } else if ((done.error = target->take_name()) != 0) {
    return done;
  } else if (target->series_ != nullptr) {
    done.value = target->series_->latest;
  }
  target->unlist();
  target->temporary_.clear();
  made.erase(errand.target);
  return done;
}

const std::string& given_up() {
  return fates;
}

void give_up_targets(LastLine& line) noexcept {
  dismiss_clerk();
  for (const Target* target = unfinished; target != nullptr; target = target->next_) {
    if (!clerk_engaged()) {
      unlinkat(target->folder_, target->temporary_.c_str(), 0);
    }
    line.add(target->fate_);
  }
}

}  // namespace steertag::host
