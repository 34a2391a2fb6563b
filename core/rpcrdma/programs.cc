#include "rpcrdma/programs.h"

#include <fmt/core.h>

#include "base/named.h"

namespace steertag::rpcrdma {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view nfs2[] = {"NULL", "GETATTR",    "SETATTR", "ROOT",   "LOOKUP",  "READLINK",
                                     "READ", "WRITECACHE", "WRITE",   "CREATE", "REMOVE",  "RENAME",
                                     "LINK", "SYMLINK",    "MKDIR",   "RMDIR",  "READDIR", "STATFS"};
constexpr std::string_view nfs3[] = {"NULL",   "GETATTR", "SETATTR",  "LOOKUP", "ACCESS",  "READLINK",
                                     "READ",   "WRITE",   "CREATE",   "MKDIR",  "SYMLINK", "MKNOD",
                                     "REMOVE", "RMDIR",   "RENAME",   "LINK",   "READDIR", "READDIRPLUS",
                                     "FSSTAT", "FSINFO",  "PATHCONF", "COMMIT"};
constexpr std::string_view nfs4[] = {"NULL", "COMPOUND"};
constexpr std::string_view callback[] = {"CB_NULL", "CB_COMPOUND"};
constexpr std::string_view mount[] = {"NULL", "MNT", "DUMP", "UMNT", "UMNTALL", "EXPORT"};
constexpr std::string_view nlm[] = {"NULL",        "TEST",     "LOCK",     "CANCEL",     "UNLOCK",
                                    "GRANTED",     "TEST_MSG", "LOCK_MSG", "CANCEL_MSG", "UNLOCK_MSG",
                                    "GRANTED_MSG", "TEST_RES", "LOCK_RES", "CANCEL_RES", "UNLOCK_RES",
                                    "GRANTED_RES", "",         "",         "",           "",
                                    "SHARE",       "UNSHARE",  "NM_LOCK",  "FREE_ALL"};
constexpr std::string_view nsm[] = {"NULL", "STAT", "MON", "UNMON", "UNMON_ALL", "SIMU_CRASH", "NOTIFY"};
constexpr std::string_view rpcbind[] = {"NULL", "SET", "UNSET", "GETPORT", "DUMP", "CALLIT"};  // version two
constexpr std::string_view nfsacl[] = {"NULL", "GETACL", "SETACL", "GETATTR", "ACCESS"};
constexpr std::string_view rdmaconfig[] = {"NULL", "CONF_RDMA"};

constexpr uint32_t any_version = UINT32_MAX;
// The first row counts that is of the program and of the version.
constexpr struct {
  uint32_t program, version;
  Names procedures;
} rows[] = {
    {program_nfs, 3, nfs3},
    {program_nfs, 4, nfs4},
    {program_nfs, 2, nfs2},
    {program_mount, any_version, mount},
    {program_nlm, any_version, nlm},
    {program_nsm, any_version, nsm},
    {program_rpcbind, 2, rpcbind},
    {program_nfsacl, 3, Names(nfsacl).first(3)},  // version three kept these
    {program_nfsacl, any_version, nfsacl},
    {program_rdmaconfig, 1, rdmaconfig},
};

Names names_of(uint32_t program, uint32_t version) {
  for (const auto& row : rows) {
    if (row.program == program && (row.version == version || row.version == any_version)) {
      return row.procedures;
    }
  }
  return nfs4_callback(program, version) ? Names(callback) : Names();
}

}  // namespace

std::string_view program_name(uint32_t program) {
  static constexpr std::pair<uint32_t, std::string_view> names[] = {{program_nfs, "NFS"},
                                                                    {program_mount, "MOUNT"},
                                                                    {program_nlm, "NLM"},
                                                                    {program_nsm, "NSM"},
                                                                    {program_rpcbind, "RPCBIND"},
                                                                    {program_nfsacl, "NFSACL"},
                                                                    {program_rdmaconfig, "RDMACONFIG"}};
  return base::named(names, program);
}

std::string_view procedure_name(uint32_t program, uint32_t version, uint32_t procedure) {
  const Names names = names_of(program, version);
  return procedure < names.size() ? names[procedure] : std::string_view{};
}

std::span<const ProgramVersion> known_programs() {
  static constexpr ProgramVersion kKnown[] = {
      {program_nfs, 2},    {program_nfs, 3},    {program_nfs, 4},       {0x40000000, 1},
      {program_mount, 1},  {program_mount, 2},  {program_mount, 3},     {program_nlm, 1},
      {program_nlm, 3},    {program_nlm, 4},    {program_nsm, 1},       {program_rpcbind, 2},
      {program_nfsacl, 2}, {program_nfsacl, 3}, {program_rdmaconfig, 1}};
  return kKnown;
}

std::string name(uint32_t program, uint32_t version, uint32_t procedure) {
  std::string service;
  if (nfs4_callback(program, version)) {
    service = "NFSv4";
  } else if (const std::string_view known = program_name(program); !known.empty()) {
    service = fmt::format("{}v{}", known, version);
  } else {
    return fmt::format("program {} version {} procedure {}", program, version, procedure);
  }
  const std::string_view what = procedure_name(program, version, procedure);
  return what.empty() ? fmt::format("{} procedure {}", service, procedure)
                      : fmt::format("{} {}", service, what);
}

}  // namespace steertag::rpcrdma
