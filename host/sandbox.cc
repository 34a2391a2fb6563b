#include "host/sandbox.h"

#include <fmt/core.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

#include "host/clerk.h"
#include "host/descriptors.h"
#include "host/privileges.h"
#include "host/target.h"

namespace steertag::host {
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

Sandbox restrict(const Needs& needs) {
  keep_to_itself();
  Sandbox sandbox;
  sandbox.landlock = restrict_paths(needs);
  sandbox.filter = restrict_system_calls(needs);
  return sandbox;
}

[[noreturn]] void be_clerk(const Needs& needs) {
  if (become_owner(needs.folders)) {
    keep_no_rights();
  } else {
    keep_rights_over_files();  // which Landlock narrows to those folders
  }
  restrict({.folders = needs.folders, .series = needs.series});
  serve([series = needs.series](const Errand& errand) { return run_errand(errand, series); },
        [] {
          LastLine unsaid("");
          give_up_targets(unsaid);
        });
}

}  // namespace

Sandbox enter_sandbox(const Needs& needs) {
  close_inherited_descriptors(needs.read_again);
  if (!needs.folders.empty() && engage_clerk(needs.folders)) {
    be_clerk(needs);
  }
  // An ordinary user might not be allowed to open the captures again. Root stays root for that, but of its
  // rights keeps only that to read, which Landlock narrows to these.
  if (!needs.read_again.empty() || !become_ordinary()) {
    keep_rights_to_read();
  } else {
    keep_no_rights();
  }
  return restrict({.read_again = needs.read_again, .pager = needs.pager, .captures = needs.captures});
}

std::string Sandbox::text() const {
  const std::string files = landlock != 0 ? fmt::format("Landlock {}", landlock) : "no Landlock";
  return files + (filter ? ", system call filter" : ", no system call filter");
}

}  // namespace steertag::host
