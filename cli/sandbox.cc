#include "sandbox.h"

#include <fmt/core.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

#include "landlock.h"
#include "privileges.h"
#include "system_calls.h"

namespace steertag::cli {
namespace {

// A capture's contents are not for a core file, nor for other processes of the same user.
void keep_to_itself() {
#ifdef __linux__
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
}

}  // namespace

Sandbox enter_sandbox(const Needs& needs) {
  const bool files = !needs.read_again.empty() || !needs.folders.empty();
  // An ordinary user might not be allowed to open the captures again, or to replace what -o names. Root stays
  // root for that, but of its rights keeps only those over files, which Landlock narrows to these.
  if (files || !become_ordinary()) {
    keep_rights_over_files();
  } else {
    keep_no_rights();
  }
  keep_to_itself();
  Sandbox sandbox;
  sandbox.landlock = restrict_paths(needs);
  sandbox.filter = restrict_system_calls(needs);
  return sandbox;
}

std::string Sandbox::text() const {
  const std::string files = landlock != 0 ? fmt::format("Landlock {}", landlock) : "no Landlock";
  return files + (filter ? ", system call filter" : ", no system call filter");
}

}  // namespace steertag::cli
