#include "scenario/procedures.h"

#include <span>

namespace steertag::scenario {
namespace {

struct Named {
  std::string_view name;
  uint32_t number;
};

constexpr Named kNfs3[] = {
    {"NULL", nfs3::kNull},     {"GETATTR", nfs3::kGetattr}, {"SETATTR", nfs3::kSetattr},
    {"LOOKUP", nfs3::kLookup}, {"ACCESS", nfs3::kAccess},   {"READLINK", nfs3::kReadlink},
    {"READ", nfs3::kRead},     {"WRITE", nfs3::kWrite},     {"CREATE", nfs3::kCreate},
    {"MKDIR", nfs3::kMkdir},   {"SYMLINK", nfs3::kSymlink}, {"MKNOD", nfs3::kMknod},
    {"REMOVE", nfs3::kRemove}, {"RMDIR", nfs3::kRmdir},     {"RENAME", nfs3::kRename},
    {"LINK", nfs3::kLink},     {"READDIR", nfs3::kReaddir}, {"READDIRPLUS", nfs3::kReaddirplus},
    {"FSSTAT", nfs3::kFsstat}, {"FSINFO", nfs3::kFsinfo},   {"PATHCONF", nfs3::kPathconf},
    {"COMMIT", nfs3::kCommit},
};

constexpr Named kNfs4[] = {
    {"ACCESS", nfs4::kAccess},
    {"CLOSE", nfs4::kClose},
    {"COMMIT", nfs4::kCommit},
    {"CREATE", nfs4::kCreate},
    {"DELEGRETURN", nfs4::kDelegreturn},
    {"GETATTR", nfs4::kGetattr},
    {"GETFH", nfs4::kGetfh},
    {"LINK", nfs4::kLink},
    {"LOCK", nfs4::kLock},
    {"LOCKU", nfs4::kLocku},
    {"LOOKUP", nfs4::kLookup},
    {"LOOKUPP", nfs4::kLookupp},
    {"OPEN", nfs4::kOpen},
    {"PUTFH", nfs4::kPutfh},
    {"PUTROOTFH", nfs4::kPutrootfh},
    {"READ", nfs4::kRead},
    {"READDIR", nfs4::kReaddir},
    {"READLINK", nfs4::kReadlink},
    {"REMOVE", nfs4::kRemove},
    {"RENAME", nfs4::kRename},
    {"RENEW", nfs4::kRenew},
    {"RESTOREFH", nfs4::kRestorefh},
    {"SAVEFH", nfs4::kSavefh},
    {"SECINFO", nfs4::kSecinfo},
    {"SETATTR", nfs4::kSetattr},
    {"SETCLIENTID", nfs4::kSetclientid},
    {"SETCLIENTID_CONFIRM", nfs4::kSetclientidConfirm},
    {"WRITE", nfs4::kWrite},
    {"BIND_CONN_TO_SESSION", nfs4::kBindConnToSession},
    {"EXCHANGE_ID", nfs4::kExchangeId},
    {"CREATE_SESSION", nfs4::kCreateSession},
    {"DESTROY_SESSION", nfs4::kDestroySession},
    {"SEQUENCE", nfs4::kSequence},
    {"TEST_STATEID", nfs4::kTestStateid},
    {"DESTROY_CLIENTID", nfs4::kDestroyClientid},
    {"RECLAIM_COMPLETE", nfs4::kReclaimComplete},
    {"ALLOCATE", nfs4::kAllocate},
    {"COPY", nfs4::kCopy},
    {"DEALLOCATE", nfs4::kDeallocate},
    {"READ_PLUS", nfs4::kReadPlus},
    {"SEEK", nfs4::kSeek},
    {"CLONE", nfs4::kClone},
    {"GETXATTR", nfs4::kGetxattr},
    {"SETXATTR", nfs4::kSetxattr},
    {"LISTXATTRS", nfs4::kListxattrs},
    {"REMOVEXATTR", nfs4::kRemovexattr},
};

constexpr Named kCallback[] = {
    {"CB_GETATTR", nfs4::kCbGetattr},      {"CB_RECALL", nfs4::kCbRecall},
    {"CB_RECALL_ANY", nfs4::kCbRecallAny}, {"CB_RECALL_SLOT", nfs4::kCbRecallSlot},
    {"CB_SEQUENCE", nfs4::kCbSequence},
};

constexpr Named kAcl[] = {
    {"NULL", acl::kNull},
    {"GETACL", acl::kGetacl},
    {"SETACL", acl::kSetacl},
};

std::optional<uint32_t> find(std::span<const Named> table, std::string_view name) {
  for (const Named& named : table) {
    if (named.name == name) {
      return named.number;
    }
  }
  return std::nullopt;
}

std::string list(std::span<const Named> table) {
  std::string names;
  for (const Named& named : table) {
    names += names.empty() ? "" : " ";
    names += named.name;
  }
  return names;
}

}  // namespace

std::optional<uint32_t> nfs3_procedure(std::string_view name) {
  return find(kNfs3, name);
}
std::optional<uint32_t> nfs4_operation(std::string_view name) {
  return find(kNfs4, name);
}
std::optional<uint32_t> callback_operation(std::string_view name) {
  return find(kCallback, name);
}
std::optional<uint32_t> acl_procedure(std::string_view name) {
  return find(kAcl, name);
}
std::string nfs3_names() {
  return list(kNfs3);
}
std::string nfs4_names() {
  return list(kNfs4);
}
std::string callback_names() {
  return list(kCallback);
}

std::string acl_names() {
  return list(kAcl);
}

Procedure nfs4_compound(uint32_t operation, uint32_t minor) {
  Procedure compound{Family::nfs4, 100003, 4, 1, {}, minor};
  const auto begin = [&](std::initializer_list<uint32_t> before) {
    compound.operations.assign(before.begin(), before.end());
    if (minor != 0) {
      compound.operations.insert(compound.operations.begin(), nfs4::kSequence);
    }
  };
  switch (operation) {
    case nfs4::kExchangeId:
    case nfs4::kCreateSession:
    case nfs4::kDestroySession:
    case nfs4::kDestroyClientid:
    case nfs4::kBindConnToSession:
    case nfs4::kSequence:
      break;
    case nfs4::kReclaimComplete:
    case nfs4::kRenew:
    case nfs4::kSetclientid:
    case nfs4::kSetclientidConfirm:
    case nfs4::kTestStateid:
    case nfs4::kPutfh:
    case nfs4::kPutrootfh:
      begin({});
      break;
    case nfs4::kClone:
    case nfs4::kCopy:
    case nfs4::kLink:
    case nfs4::kRename:
      begin({nfs4::kPutfh, nfs4::kSavefh, nfs4::kPutfh});
      break;
    default:
      begin({nfs4::kPutfh});
  }
  compound.operations.push_back(operation);
  return compound;
}

Procedure callback_compound(uint32_t operation, uint32_t minor) {
  Procedure compound{Family::callback, kCallbackProgram, 1, 1, {}, minor};
  if (minor != 0) {
    compound.operations.push_back(nfs4::kCbSequence);
  }
  if (operation != nfs4::kCbSequence) {
    compound.operations.push_back(operation);
  }
  return compound;
}

}  // namespace steertag::scenario
