// Names of the RPC procedures and NFSv4 operations that scenarios can call, and
// their numbers. What their arguments and results look like is in nfs3.cc, nfs4.cc
// and nfsacl.cc; a procedure that is not named here can be called as
// rpc(PROGRAM VERSION PROCEDURE).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenario/script.h"

namespace steertag::scenario {

namespace nfs3 {
enum Number : uint32_t {
  kNull = 0,
  kGetattr = 1,
  kSetattr = 2,
  kLookup = 3,
  kAccess = 4,
  kReadlink = 5,
  kRead = 6,
  kWrite = 7,
  kCreate = 8,
  kMkdir = 9,
  kSymlink = 10,
  kMknod = 11,
  kRemove = 12,
  kRmdir = 13,
  kRename = 14,
  kLink = 15,
  kReaddir = 16,
  kReaddirplus = 17,
  kFsstat = 18,
  kFsinfo = 19,
  kPathconf = 20,
  kCommit = 21
};
}

namespace acl {
enum Number : uint32_t { kNull = 0, kGetacl = 1, kSetacl = 2 };
}

namespace nfs4 {
enum Number : uint32_t {
  kAccess = 3,
  kClose = 4,
  kCommit = 5,
  kCreate = 6,
  kDelegreturn = 8,
  kGetattr = 9,
  kGetfh = 10,
  kLink = 11,
  kLock = 12,
  kLocku = 14,
  kLookup = 15,
  kLookupp = 16,
  kOpen = 18,
  kPutfh = 22,
  kPutrootfh = 24,
  kRead = 25,
  kReaddir = 26,
  kReadlink = 27,
  kRemove = 28,
  kRename = 29,
  kRenew = 30,
  kRestorefh = 31,
  kSavefh = 32,
  kSecinfo = 33,
  kSetattr = 34,
  kSetclientid = 35,
  kSetclientidConfirm = 36,
  kWrite = 38,
  kBindConnToSession = 41,
  kExchangeId = 42,
  kCreateSession = 43,
  kDestroySession = 44,
  kSequence = 53,
  kTestStateid = 55,
  kDestroyClientid = 57,
  kReclaimComplete = 58,
  kAllocate = 59,
  kCopy = 60,
  kDeallocate = 62,
  kReadPlus = 68,
  kSeek = 69,
  kClone = 71,
  kGetxattr = 72,
  kSetxattr = 73,
  kListxattrs = 74,
  kRemovexattr = 75,
  // callbacks
  kCbGetattr = 3,
  kCbRecall = 4,
  kCbRecallAny = 8,
  kCbRecallSlot = 10,
  kCbSequence = 11,
};
}

// The procedures, or operations, of one family.
struct Names {
  std::string_view family;  // "nfs4"
  std::string_view (*name_of)(uint32_t number);
  std::span<const uint32_t> numbers;

  std::optional<uint32_t> find(std::string_view name) const;
  std::string list() const;  // for error messages
};
extern const Names nfs3_names, nfs4_names, callback_names, acl_names;

constexpr uint32_t kCallbackProgram = 0x40000000;

// "READ" of NFSv4 as a COMPOUND: SEQUENCE, PUTFH and the operation, or what it
// can be sent alone. Minor version zero has no SEQUENCE.
Procedure nfs4_compound(uint32_t operation, uint32_t minor = 1);
Procedure callback_compound(uint32_t operation, uint32_t minor = 1);

}  // namespace steertag::scenario
