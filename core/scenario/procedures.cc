#include "scenario/procedures.h"

#include <algorithm>

#include "nfs/nfs4.h"
#include "rpcrdma/programs.h"

namespace steertag::scenario {

namespace nfs3 {
constexpr uint32_t kCallable[] = {kNull,   kGetattr, kSetattr,  kLookup, kAccess,  kReadlink,
                                  kRead,   kWrite,   kCreate,   kMkdir,  kSymlink, kMknod,
                                  kRemove, kRmdir,   kRename,   kLink,   kReaddir, kReaddirplus,
                                  kFsstat, kFsinfo,  kPathconf, kCommit};
}

namespace acl {
constexpr uint32_t kCallable[] = {kNull, kGetacl, kSetacl};
}

namespace nfs4 {
constexpr uint32_t kCallable[] = {
    // RFC 7530
    kAccess, kClose, kCommit, kCreate, kDelegreturn, kGetattr, kGetfh, kLink, kLock, kLocku, kLookup,
    kLookupp, kOpen, kPutfh, kPutrootfh, kRead, kReaddir, kReadlink, kRemove, kRename, kRenew, kRestorefh,
    kSavefh, kSecinfo, kSetattr, kSetclientid, kSetclientidConfirm, kWrite,
    // RFC 8881
    kBindConnToSession, kExchangeId, kCreateSession, kDestroySession, kSequence, kTestStateid,
    kDestroyClientid, kReclaimComplete,
    // RFC 7862
    kAllocate, kCopy, kDeallocate, kReadPlus, kSeek, kClone,
    // RFC 8276
    kGetxattr, kSetxattr, kListxattrs, kRemovexattr};
constexpr uint32_t kCallbacks[] = {kCbGetattr, kCbRecall, kCbRecallAny, kCbRecallSlot, kCbSequence};
}  // namespace nfs4

constinit const Names nfs3_names = {
    "nfs3", [](uint32_t number) { return rpcrdma::procedure_name(rpcrdma::program_nfs, 3, number); },
    nfs3::kCallable};
constinit const Names acl_names = {
    "nfsacl", [](uint32_t number) { return rpcrdma::procedure_name(rpcrdma::program_nfsacl, 3, number); },
    acl::kCallable};
constinit const Names nfs4_names = {
    "nfs4", [](uint32_t number) { return nfs::operation_name(number, false); }, nfs4::kCallable};
constinit const Names callback_names = {
    "cb", [](uint32_t number) { return nfs::operation_name(number, true); }, nfs4::kCallbacks};

std::optional<uint32_t> Names::find(std::string_view name) const {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](uint32_t number) { return name_of(number) == name; });
  return found != numbers.end() ? std::optional(*found) : std::nullopt;
}

std::string Names::list() const {
  std::string names;
  for (const uint32_t number : numbers) {
    names += names.empty() ? "" : " ";
    names += name_of(number);
  }
  return names;
}

Procedure nfs4_compound(uint32_t operation, uint32_t minor) {
  Procedure compound{Family::nfs4, rpcrdma::program_nfs, 4, 1, {}, minor};
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
