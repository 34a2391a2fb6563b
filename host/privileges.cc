#include "host/privileges.h"

#ifdef __linux__
#include <grp.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>

namespace steertag::host {

#ifdef __linux__
namespace {

constexpr uint32_t nobody = 65534;  // also the group; asking for the name would load libraries

// A user or group that sudo has noted, but not root, nor the number that stands for none (setresuid(2)).
std::optional<uint32_t> noted(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
  const std::string_view text = value != nullptr ? value : "";
  uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && end == text.data() + text.size() && id != 0 && id != UINT32_MAX
             ? std::optional(id)
             : std::nullopt;
}

bool become(uid_t uid, gid_t gid) {
  return setgroups(0, nullptr) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0;
}

void keep(std::initializer_list<unsigned> capabilities) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) {
    return;
  }
  std::array<uint32_t, _LINUX_CAPABILITY_U32S_3> kept{};
  for (const unsigned one : capabilities) {
    kept[one / 32] |= uint32_t{1} << one % 32;
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    sets[i].permitted &= kept[i];
    sets[i].effective = sets[i].permitted;
    sets[i].inheritable = 0;
  }
  syscall(SYS_capset, &header, sets.data());
}

}  // namespace

bool become_ordinary() {
  if (geteuid() != 0) {
    return true;
  }
  const auto user = noted("SUDO_UID"), group = noted("SUDO_GID");
  const bool by_sudo = user && group;
  const uid_t uid = by_sudo ? *user : nobody;
  const gid_t gid = by_sudo ? *group : nobody;
  return become(uid, gid);
}

bool become_owner(std::span<const int> folders) {
  constexpr mode_t needed = S_IWUSR | S_IXUSR;
  if (geteuid() != 0) {
    return true;
  }
  std::optional<struct stat> first;
  for (const int folder : folders) {
    struct stat one {};
    if (fstat(folder, &one) != 0 || (one.st_mode & needed) != needed ||
        (first && first->st_uid != one.st_uid)) {
      return false;
    }
    first = first.value_or(one);
  }
  return first && (first->st_uid == 0 || become(first->st_uid, first->st_gid));
}

void keep_no_rights() {
  keep({});
}

void keep_rights_to_read() {
  keep({CAP_DAC_READ_SEARCH});
}

void keep_rights_over_files() {
  keep({CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER});
}
#else
bool become_ordinary() {
  return false;
}
bool become_owner(std::span<const int> /*folders*/) {
  return false;
}
void keep_no_rights() {}
void keep_rights_to_read() {}
void keep_rights_over_files() {}
#endif

}  // namespace steertag::host
