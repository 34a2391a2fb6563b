#include "nfs/status.h"

#include <algorithm>
#include <span>

#include "rpcrdma/programs.h"

namespace steertag::nfs {
namespace {

struct Row {
  uint32_t number = 0;
  std::string_view name;
};

// Each ascending. RFC 1094 §2.3.1.
// clang-format off
constexpr Row version_two[] = {
    {1, "NFSERR_PERM"},
    {2, "NFSERR_NOENT"},
    {5, "NFSERR_IO"},
    {6, "NFSERR_NXIO"},
    {13, "NFSERR_ACCES"},
    {17, "NFSERR_EXIST"},
    {19, "NFSERR_NODEV"},
    {20, "NFSERR_NOTDIR"},
    {21, "NFSERR_ISDIR"},
    {27, "NFSERR_FBIG"},
    {28, "NFSERR_NOSPC"},
    {30, "NFSERR_ROFS"},
    {63, "NFSERR_NAMETOOLONG"},
    {66, "NFSERR_NOTEMPTY"},
    {69, "NFSERR_DQUOT"},
    {70, "NFSERR_STALE"},
    {99, "NFSERR_WFLUSH"},
};

// RFC 1813 §2.6.
constexpr Row version_three[] = {
    {1, "NFS3ERR_PERM"},
    {2, "NFS3ERR_NOENT"},
    {5, "NFS3ERR_IO"},
    {6, "NFS3ERR_NXIO"},
    {13, "NFS3ERR_ACCES"},
    {17, "NFS3ERR_EXIST"},
    {18, "NFS3ERR_XDEV"},
    {19, "NFS3ERR_NODEV"},
    {20, "NFS3ERR_NOTDIR"},
    {21, "NFS3ERR_ISDIR"},
    {22, "NFS3ERR_INVAL"},
    {27, "NFS3ERR_FBIG"},
    {28, "NFS3ERR_NOSPC"},
    {30, "NFS3ERR_ROFS"},
    {31, "NFS3ERR_MLINK"},
    {63, "NFS3ERR_NAMETOOLONG"},
    {66, "NFS3ERR_NOTEMPTY"},
    {69, "NFS3ERR_DQUOT"},
    {70, "NFS3ERR_STALE"},
    {71, "NFS3ERR_REMOTE"},
    {10001, "NFS3ERR_BADHANDLE"},
    {10002, "NFS3ERR_NOT_SYNC"},
    {10003, "NFS3ERR_BAD_COOKIE"},
    {10004, "NFS3ERR_NOTSUPP"},
    {10005, "NFS3ERR_TOOSMALL"},
    {10006, "NFS3ERR_SERVERFAULT"},
    {10007, "NFS3ERR_BADTYPE"},
    {10008, "NFS3ERR_JUKEBOX"},
};

// RFC 7530 §13; from 10049 on RFC 8881 §15, from 10088 on RFC 7862 §11, the last two RFC 8276 §8.5.
constexpr Row version_four[] = {
    {1, "NFS4ERR_PERM"},
    {2, "NFS4ERR_NOENT"},
    {5, "NFS4ERR_IO"},
    {6, "NFS4ERR_NXIO"},
    {13, "NFS4ERR_ACCESS"},
    {17, "NFS4ERR_EXIST"},
    {18, "NFS4ERR_XDEV"},
    {20, "NFS4ERR_NOTDIR"},
    {21, "NFS4ERR_ISDIR"},
    {22, "NFS4ERR_INVAL"},
    {27, "NFS4ERR_FBIG"},
    {28, "NFS4ERR_NOSPC"},
    {30, "NFS4ERR_ROFS"},
    {31, "NFS4ERR_MLINK"},
    {63, "NFS4ERR_NAMETOOLONG"},
    {66, "NFS4ERR_NOTEMPTY"},
    {69, "NFS4ERR_DQUOT"},
    {70, "NFS4ERR_STALE"},
    {10001, "NFS4ERR_BADHANDLE"},
    {10003, "NFS4ERR_BAD_COOKIE"},
    {10004, "NFS4ERR_NOTSUPP"},
    {10005, "NFS4ERR_TOOSMALL"},
    {10006, "NFS4ERR_SERVERFAULT"},
    {10007, "NFS4ERR_BADTYPE"},
    {10008, "NFS4ERR_DELAY"},
    {10009, "NFS4ERR_SAME"},
    {10010, "NFS4ERR_DENIED"},
    {10011, "NFS4ERR_EXPIRED"},
    {10012, "NFS4ERR_LOCKED"},
    {10013, "NFS4ERR_GRACE"},
    {10014, "NFS4ERR_FHEXPIRED"},
    {10015, "NFS4ERR_SHARE_DENIED"},
    {10016, "NFS4ERR_WRONGSEC"},
    {10017, "NFS4ERR_CLID_INUSE"},
    {10018, "NFS4ERR_RESOURCE"},
    {10019, "NFS4ERR_MOVED"},
    {10020, "NFS4ERR_NOFILEHANDLE"},
    {10021, "NFS4ERR_MINOR_VERS_MISMATCH"},
    {10022, "NFS4ERR_STALE_CLIENTID"},
    {10023, "NFS4ERR_STALE_STATEID"},
    {10024, "NFS4ERR_OLD_STATEID"},
    {10025, "NFS4ERR_BAD_STATEID"},
    {10026, "NFS4ERR_BAD_SEQID"},
    {10027, "NFS4ERR_NOT_SAME"},
    {10028, "NFS4ERR_LOCK_RANGE"},
    {10029, "NFS4ERR_SYMLINK"},
    {10030, "NFS4ERR_RESTOREFH"},
    {10031, "NFS4ERR_LEASE_MOVED"},
    {10032, "NFS4ERR_ATTRNOTSUPP"},
    {10033, "NFS4ERR_NO_GRACE"},
    {10034, "NFS4ERR_RECLAIM_BAD"},
    {10035, "NFS4ERR_RECLAIM_CONFLICT"},
    {10036, "NFS4ERR_BADXDR"},
    {10037, "NFS4ERR_LOCKS_HELD"},
    {10038, "NFS4ERR_OPENMODE"},
    {10039, "NFS4ERR_BADOWNER"},
    {10040, "NFS4ERR_BADCHAR"},
    {10041, "NFS4ERR_BADNAME"},
    {10042, "NFS4ERR_BAD_RANGE"},
    {10043, "NFS4ERR_LOCK_NOTSUPP"},
    {10044, "NFS4ERR_OP_ILLEGAL"},
    {10045, "NFS4ERR_DEADLOCK"},
    {10046, "NFS4ERR_FILE_OPEN"},
    {10047, "NFS4ERR_ADMIN_REVOKED"},
    {10048, "NFS4ERR_CB_PATH_DOWN"},
    {10049, "NFS4ERR_BADIOMODE"},
    {10050, "NFS4ERR_BADLAYOUT"},
    {10051, "NFS4ERR_BAD_SESSION_DIGEST"},
    {10052, "NFS4ERR_BADSESSION"},
    {10053, "NFS4ERR_BADSLOT"},
    {10054, "NFS4ERR_COMPLETE_ALREADY"},
    {10055, "NFS4ERR_CONN_NOT_BOUND_TO_SESSION"},
    {10056, "NFS4ERR_DELEG_ALREADY_WANTED"},
    {10057, "NFS4ERR_BACK_CHAN_BUSY"},
    {10058, "NFS4ERR_LAYOUTTRYLATER"},
    {10059, "NFS4ERR_LAYOUTUNAVAILABLE"},
    {10060, "NFS4ERR_NOMATCHING_LAYOUT"},
    {10061, "NFS4ERR_RECALLCONFLICT"},
    {10062, "NFS4ERR_UNKNOWN_LAYOUTTYPE"},
    {10063, "NFS4ERR_SEQ_MISORDERED"},
    {10064, "NFS4ERR_SEQUENCE_POS"},
    {10065, "NFS4ERR_REQ_TOO_BIG"},
    {10066, "NFS4ERR_REP_TOO_BIG"},
    {10067, "NFS4ERR_REP_TOO_BIG_TO_CACHE"},
    {10068, "NFS4ERR_RETRY_UNCACHED_REP"},
    {10069, "NFS4ERR_UNSAFE_COMPOUND"},
    {10070, "NFS4ERR_TOO_MANY_OPS"},
    {10071, "NFS4ERR_OP_NOT_IN_SESSION"},
    {10072, "NFS4ERR_HASH_ALG_UNSUPP"},
    {10074, "NFS4ERR_CLIENTID_BUSY"},
    {10075, "NFS4ERR_PNFS_IO_HOLE"},
    {10076, "NFS4ERR_SEQ_FALSE_RETRY"},
    {10077, "NFS4ERR_BAD_HIGH_SLOT"},
    {10078, "NFS4ERR_DEADSESSION"},
    {10079, "NFS4ERR_ENCR_ALG_UNSUPP"},
    {10080, "NFS4ERR_PNFS_NO_LAYOUT"},
    {10081, "NFS4ERR_NOT_ONLY_OP"},
    {10082, "NFS4ERR_WRONG_CRED"},
    {10083, "NFS4ERR_WRONG_TYPE"},
    {10084, "NFS4ERR_DIRDELEG_UNAVAIL"},
    {10085, "NFS4ERR_REJECT_DELEG"},
    {10086, "NFS4ERR_RETURNCONFLICT"},
    {10087, "NFS4ERR_DELEG_REVOKED"},
    {10088, "NFS4ERR_PARTNER_NOTSUPP"},
    {10089, "NFS4ERR_PARTNER_NO_AUTH"},
    {10090, "NFS4ERR_UNION_NOTSUPP"},
    {10091, "NFS4ERR_OFFLOAD_DENIED"},
    {10092, "NFS4ERR_WRONG_LFS"},
    {10093, "NFS4ERR_BADLABEL"},
    {10094, "NFS4ERR_OFFLOAD_NO_REQS"},
    {10095, "NFS4ERR_NOXATTR"},
    {10096, "NFS4ERR_XATTR2BIG"},
};

// MOUNT versions one and two say what UNIX does (RFC 1094 §A.3); these numbers are the same everywhere.
constexpr Row mount_unix[] = {
    {1, "EPERM"},
    {2, "ENOENT"},
    {5, "EIO"},
    {13, "EACCES"},
    {20, "ENOTDIR"},
    {22, "EINVAL"},
};

// RFC 1813 §5.1.5 (mountstat3).
constexpr Row mount_three[] = {
    {1, "MNT3ERR_PERM"},
    {2, "MNT3ERR_NOENT"},
    {5, "MNT3ERR_IO"},
    {13, "MNT3ERR_ACCES"},
    {20, "MNT3ERR_NOTDIR"},
    {22, "MNT3ERR_INVAL"},
    {63, "MNT3ERR_NAMETOOLONG"},
    {10004, "MNT3ERR_NOTSUPP"},
    {10006, "MNT3ERR_SERVERFAULT"},
};

// NLM up to version three (X/Open XNFS).
constexpr Row nlm_three[] = {
    {1, "LCK_DENIED"},
    {2, "LCK_DENIED_NOLOCKS"},
    {3, "LCK_BLOCKED"},
    {4, "LCK_DENIED_GRACE_PERIOD"},
    {5, "LCK_DEADLCK"},
};

// RFC 1813 §6.1.3.
constexpr Row nlm_four[] = {
    {1, "NLM4_DENIED"},
    {2, "NLM4_DENIED_NOLOCKS"},
    {3, "NLM4_BLOCKED"},
    {4, "NLM4_DENIED_GRACE_PERIOD"},
    {5, "NLM4_DEADLCK"},
    {6, "NLM4_ROFS"},
    {7, "NLM4_STALE_FH"},
    {8, "NLM4_FBIG"},
    {9, "NLM4_FAILED"},
};

// X/Open XNFS.
constexpr Row nsm_one[] = {
    {1, "STAT_FAIL"},
};
// clang-format on

// By program, and from which version to which.
constexpr struct {
  uint32_t program, first, last;
  std::span<const Row> names;
} known[] = {
    {rpcrdma::program_nfs, 2, 2, version_two},      {rpcrdma::program_nfs, 3, 3, version_three},
    {rpcrdma::program_nfs, 4, 4, version_four},     {rpcrdma::program_nfsacl, 2, 2, version_two},
    {rpcrdma::program_nfsacl, 3, 3, version_three}, {rpcrdma::program_mount, 1, 2, mount_unix},
    {rpcrdma::program_mount, 3, 3, mount_three},    {rpcrdma::program_nlm, 1, 3, nlm_three},
    {rpcrdma::program_nlm, 4, 4, nlm_four},         {rpcrdma::program_nsm, 1, 1, nsm_one},
};

std::span<const Row> names_of(uint32_t program, uint32_t version) {
  for (const auto& row : known) {
    if (row.program == program && row.first <= version && version <= row.last) {
      return row.names;
    }
  }
  return rpcrdma::nfs4_callback(program, version) ? std::span<const Row>(version_four)
                                                  : std::span<const Row>();
}

}  // namespace

StatusPlace status_place(uint32_t program, uint32_t version, uint32_t procedure) {
  if (names_of(program, version).empty() || procedure == 0 ||
      rpcrdma::procedure_name(program, version, procedure).empty()) {
    return StatusPlace::none;
  }
  switch (program) {
    case rpcrdma::program_mount:
      return procedure == 1 ? StatusPlace::first : StatusPlace::none;
    case rpcrdma::program_nlm:  // from TEST to GRANTED, from SHARE to NM_LOCK; what is left is answered by a
                                // Call
      return procedure <= 5 || (procedure >= 20 && procedure <= 22) ? StatusPlace::after_cookie
                                                                    : StatusPlace::none;
    case rpcrdma::program_nsm:
      return procedure <= 2 ? StatusPlace::first : StatusPlace::none;
    case rpcrdma::program_nfs:  // ROOT and WRITECACHE of NFSv2 have no results
      return version == 2 && (procedure == 3 || procedure == 7) ? StatusPlace::none : StatusPlace::first;
    default:
      return StatusPlace::first;
  }
}

std::string_view status_name(uint32_t program, uint32_t version, uint32_t status) {
  const std::span<const Row> names = names_of(program, version);
  const auto found = std::lower_bound(names.begin(), names.end(), status,
                                      [](const Row& row, uint32_t number) { return row.number < number; });
  return found != names.end() && found->number == status ? found->name : std::string_view{};
}

bool tells_of_trouble(uint32_t program, uint32_t status) {
  if (program == rpcrdma::program_nlm || program == rpcrdma::program_nsm) {
    constexpr uint32_t nolocks = 2, stale_fh = 7, failed = 9;
    return program == rpcrdma::program_nlm && (status == nolocks || status == stale_fh || status == failed);
  }
  constexpr uint32_t io = 5, nxio = 6, nodev = 19, stale = 70, badhandle = 10001, serverfault = 10006,
                     badxdr = 10036;
  return status == io || status == nxio || status == nodev || status == stale || status == badhandle ||
         status == serverfault || status == badxdr;
}

}  // namespace steertag::nfs
