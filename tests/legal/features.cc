// What the sessions together must have had; else the test tries less than it says.
#include <fmt/core.h>

#include "session.h"

namespace steertag::legal {
namespace {

constexpr std::string_view kFeatures[] = {
    // networks and setups
    "fabric roce2",
    "fabric roce1",
    "fabric iwarp",
    "IPv6",
    "VLAN",
    "tunnel",
    "private data",
    "no private data",
    "setup not captured",
    "two connections",
    "reconnect",
    "reconnect with open RPCs",
    "retry over the next connection",
    "orderly end",
    "capture ends first",
    // versions
    "version one",
    "version two",
    "version two refused",
    "ERR_VERS",
    "unanswered probe of version two",
    "profile rfc5666",
    // chunks
    "Read chunk",
    "Read chunk of several segments",
    "two Read chunks",
    "Position-Zero Read chunk",
    "Position-Zero Read chunk and another",
    "chunk read in parts",
    "Write chunk",
    "Write chunk of several segments",
    "two Write chunks",
    "empty Write chunk",
    "unused Write chunk",
    "Write chunk with less than was asked for",
    "chunk written in parts",
    "Reply chunk",
    "Reply chunk of several segments",
    "unused Reply chunk",
    "Long Reply",
    "Long Call with a Long Reply",
    "Write chunk and Reply chunk",
    "RDMA operations in one burst",
    "one registration for many RPCs",
    "less than was asked for",
    // RPC
    "AUTH_NONE",
    "credential auth=sys",
    "credential auth=krb5",
    "credential auth=krb5i",
    "credential auth=krb5p",
    "another program",
    "four RPCs at a time",
    "Replies out of order",
    "grant raised",
    "grant reduced",
    "NFS error",
    "RPC error",
    "RPC denied",
    "Call sent again",
    "both copies answered",
    "ERR_CHUNK",
    "RDMA2_ERR_CANT_REPLY",
    // remote invalidation
    "Send With Invalidate, version one",
    "Send With Invalidate, version two",
    "rdma_inv_handle",
    // the backward direction
    "callback CB_GETATTR",
    "callback CB_RECALL",
    "callback CB_RECALL_ANY",
    "callback CB_RECALL_SLOT",
    "callback CB_SEQUENCE",
    "callback answered, version 1",
    "callback answered, version 2",
    "callback with the XID of an open Call",
    "Long Call of the backward direction",
    // extensions of version two
    "INITXCH first of all",
    "INITXCH of the client",
    "INITXCH of the server",
    "INVAL_OPTION for INITXCH",
    "INVAL_OPTION for an unknown opttype",
    "unknown characteristic",
    "REQXCH of the client",
    "REQXCH of the server",
    "REQXCH for less",
    "REQXCH of two characteristics",
    "RESPXCH done",
    "RESPXCH pending",
    "RESPXCH rejected",
    "UPDXCH of a pending request",
    "UPDXCH on the way",
    "UPDXCH without a request",
    "XCHAR_REQREMINV changed by request",
    "Send as long as XCHAR_RBSIZ allows",
    "Call conveyed by an option",
    "Reply conveyed by an option",
    // RFC 5666
    "CONF_RDMA",
    "RDMA_MSGP",
    "RDMA_MSGP Reply",
    "result left to be read",
    "Read chunk of a Reply of several segments",
    "Reply left to be read",
    "Reply left to be read, backward",
    "RDMA_DONE",
};
constexpr std::string_view kThree[] = {"NULL",   "GETATTR", "SETATTR",     "LOOKUP",  "ACCESS",  "READLINK",
                                       "READ",   "WRITE",   "CREATE",      "MKDIR",   "SYMLINK", "MKNOD",
                                       "REMOVE", "RMDIR",   "RENAME",      "LINK",    "COMMIT",  "READDIR",
                                       "FSSTAT", "FSINFO",  "READDIRPLUS", "PATHCONF"};
constexpr std::string_view kFour[] = {
    "ACCESS", "CLOSE",  "COMMIT",    "CREATE", "DELEGRETURN", "GETATTR", "GETFH",     "LINK",    "LOCK",
    "LOCKU",  "LOOKUP", "LOOKUPP",   "OPEN",   "PUTFH",       "READ",    "PUTROOTFH", "READDIR", "READLINK",
    "REMOVE", "RENAME", "RESTOREFH", "SAVEFH", "SECINFO",     "SETATTR", "WRITE"};
constexpr std::string_view kZero[] = {"RENEW", "SETCLIENTID", "SETCLIENTID_CONFIRM"};
constexpr std::string_view kOne[] = {"BIND_CONN_TO_SESSION", "CREATE_SESSION", "DESTROY_CLIENTID",
                                     "DESTROY_SESSION",      "EXCHANGE_ID",    "TEST_STATEID",
                                     "RECLAIM_COMPLETE"};
constexpr std::string_view kTwo[] = {"ALLOCATE",   "CLONE",     "COPY",        "DEALLOCATE", "GETXATTR",
                                     "LISTXATTRS", "READ_PLUS", "REMOVEXATTR", "SEEK",       "SETXATTR"};

std::vector<std::string> all_features() {
  std::vector<std::string> all(std::begin(kFeatures), std::end(kFeatures));
  const auto add = [&](std::string_view protocol, const auto& names) {
    for (const std::string_view name : names) {
      all.push_back(fmt::format("{} {}", protocol, name));
    }
  };
  add("NFSv3", kThree);
  all.insert(all.end(), {"NFSACL GETACL", "NFSACL SETACL"});
  for (const std::string_view protocol : {"NFSv4.0", "NFSv4.1", "NFSv4.2"}) {
    add(protocol, kFour);
  }
  add("NFSv4.0", kZero);
  add("NFSv4.1", kOne);
  add("NFSv4.2", kOne);
  add("NFSv4.2", kTwo);
  return all;
}

}  // namespace

const std::vector<std::string>& expected_features() {
  static const std::vector<std::string> all = all_features();
  return all;
}

}  // namespace steertag::legal
