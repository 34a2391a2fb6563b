// Operations of NFSv4 that are made of words, names and state ids: RFC 8881 §18, RFC
// 7530 §16 where minor version zero has its own, RFC 7862 §15, and extended attributes
// of RFC 8276. Values are made up; an extended attribute is as long as it is asked to be.
#include <algorithm>

#include "scenario/procedures.h"
#include "scenario/xdr.h"

namespace steertag::scenario::nfs4 {
namespace {

void owner(Xdr& xdr) {  // open_owner4, lock_owner4
  xdr.u64(1);
  xdr.opaque(pattern(16, 14));
}
void change_info(Xdr& xdr) {
  xdr.words({1, 0, 1, 0, 2});
}
void range(Xdr& xdr) {
  xdr.u64(0);
  xdr.u64(4096);
}

void names(Xdr& xdr, uint32_t room) {
  constexpr uint32_t kName = 16;  // bytes, and four before it
  const uint32_t count = std::min(room / (kName + 4), 1000u);
  xdr.u32(count);
  for (uint32_t i = 0; i < count; ++i) {
    xdr.string(entry_name(kName, i));
  }
}

void copy(Xdr& xdr) {
  state_id(xdr);
  state_id(xdr);
  xdr.u64(0);
  range(xdr);
}

// Of locks and clients.
void state_argument(Xdr& xdr, uint32_t operation) {
  switch (operation) {
    case kLock:  // by a new owner
      xdr.words({2, 0});
      range(xdr);
      xdr.words({1, 1});
      state_id(xdr);
      xdr.u32(0);
      return owner(xdr);
    case kLocku:
      xdr.words({2, 1});
      state_id(xdr);
      return range(xdr);
    case kRenew:
    case kDestroyClientid:
      return xdr.u64(1);
    case kSetclientid:
      xdr.fixed(8, 13);
      xdr.string("client");
      xdr.u32(kCallbackProgram);
      xdr.string("rdma");
      xdr.string("10.0.0.1.78.81");
      return xdr.u32(1);
    case kSetclientidConfirm:
      xdr.u64(1);
      return xdr.fixed(8, 13);
    case kTestStateid:
      xdr.u32(1);
      return state_id(xdr);
    default:
      return;
  }
}

}  // namespace

void put_plain_argument(Xdr& xdr, uint32_t operation, uint32_t bulk) {
  switch (operation) {
    case kAccess:
      return xdr.u32(0x3F);
    case kClose:
      xdr.u32(1);
      return state_id(xdr);
    case kCommit:
      xdr.u64(0);
      return xdr.u32(0);
    case kDelegreturn:
      return state_id(xdr);
    case kLink:
    case kRemove:
    case kSecinfo:
      return xdr.string("entry");
    case kOpen:  // an existing file, to read and write it, by its name
      xdr.words({1, 3, 0});
      owner(xdr);
      xdr.words({0, 0});
      return xdr.string("file");
    case kRename:
      xdr.string("old");
      return xdr.string("new");
    case kSetattr:
      state_id(xdr);
      return xdr.words({2, 0, 2, 4, 0644});  // the mode
    case kAllocate:
    case kDeallocate:
      state_id(xdr);
      return range(xdr);
    case kCopy:
      copy(xdr);
      return xdr.words({1, 1, 0});  // consecutive, synchronous, from this server
    case kClone:
      return copy(xdr);
    case kSeek:
      state_id(xdr);
      xdr.u64(0);
      return xdr.u32(0);
    case kGetxattr:
    case kRemovexattr:
      return xdr.string("user.note");
    case kSetxattr:
      xdr.u32(0);
      xdr.string("user.note");
      return xdr.opaque(pattern(bulk, 7));  // not DDP-eligible
    case kListxattrs:
      xdr.u64(0);
      return xdr.u32(8192);
    default:
      return state_argument(xdr, operation);
  }
}

void put_plain_result(Xdr& xdr, uint32_t operation, uint32_t bulk) {
  switch (operation) {
    case kAccess:
      return xdr.words({0x3F, 0x3F});
    case kClose:
    case kLock:
    case kLocku:
      return state_id(xdr);
    case kCommit:
      return xdr.fixed(8, 3);
    case kLink:
    case kRemove:
    case kSetxattr:
    case kRemovexattr:
      return change_info(xdr);
    case kOpen:  // without a delegation
      state_id(xdr);
      change_info(xdr);
      return xdr.words({0, 0, 0});
    case kRename:
      change_info(xdr);
      return change_info(xdr);
    case kSecinfo:
      return xdr.words({1, 1});  // AUTH_SYS
    case kSetattr:
      return xdr.words({2, 0, 2});
    case kSetclientid:
      xdr.u64(1);
      return xdr.fixed(8, 13);
    case kTestStateid:
      return xdr.words({1, 0});
    case kCopy:
      xdr.u32(0);
      xdr.u64(4096);
      xdr.u32(2);
      xdr.fixed(8, 3);
      return xdr.words({1, 1});
    case kSeek:
      xdr.u32(0);
      return xdr.u64(4096);
    case kGetxattr:
      return xdr.opaque(pattern(bulk, 7));
    case kListxattrs:
      xdr.u64(1);
      names(xdr, bulk);
      return xdr.u32(1);
    default:
      return;
  }
}

}  // namespace steertag::scenario::nfs4
