#include "nfs/nfs4_operations.h"

#include <iterator>

#include "nfs/nfs4.h"
#include "nfs/nfs4_shapes.h"

namespace steertag::nfs {
namespace {

using namespace v4;

// READ_PLUS is an ordinary operation here: nothing of it is eligible (RFC 8267 §6.1).
constexpr Operation operations[] = {
    op<U32, Ok<U64>>(3, 0, "ACCESS"),
    op<Seq<U32, StateId>, Ok<StateId>>(4, 0, "CLOSE"),
    op<Seq<Offset, Count>, Ok<Verifier>>(5, 0, "COMMIT"),
    op<Seq<Switch<Case<5, Data<ItemKind::symlink_path>>, Case<3, DeviceNumbers>, Case<4, DeviceNumbers>,
                  Default<>>,
           Name, Attributes>,
       Ok<ChangeInfo, Bitmap>>(6, 0, "CREATE"),
    op<ClientId, Status>(7, 0, "DELEGPURGE"),
    op<StateId, Status>(8, 0, "DELEGRETURN"),
    op<Bitmap, Ok<Attributes>>(9, 0, "GETATTR"),
    op<Void, Ok<Handle>>(10, 0, "GETFH"),
    op<Name, Ok<ChangeInfo>>(11, 0, "LINK"),
    op<Seq<LockType, Bool, U64, U64, Locker>, Switch<Case<0, StateId>, Case<err_denied, Denied>, Failed<>>>(
        12, 0, "LOCK"),
    op<Seq<LockType, U64, U64, Owner>, Switch<Case<err_denied, Denied>, Failed<>>>(13, 0, "LOCKT"),
    op<Seq<LockType, U32, StateId, U64, U64>, Ok<StateId>>(14, 0, "LOCKU"),
    op<Name, Status>(15, 0, "LOOKUP"),
    op<Void, Status>(16, 0, "LOOKUPP"),
    op<Attributes, Status>(17, 0, "NVERIFY"),
    op<OpenArguments, OpenResults>(18, 0, "OPEN"),
    op<Bool, Status>(19, 0, "OPENATTR"),
    op<Seq<StateId, U32>, Ok<StateId>>(20, 0, "OPEN_CONFIRM"),
    op<Seq<StateId, U32, U32, U32>, Ok<StateId>>(21, 0, "OPEN_DOWNGRADE"),
    op<Handle, Status>(22, 0, "PUTFH"),
    op<Void, Status>(23, 0, "PUTPUBFH"),
    op<Void, Status>(24, 0, "PUTROOTFH"),
    op<Seq<StateId, Offset, Asks<ItemKind::read_data>>, Ok<U32, Data<ItemKind::read_data>>>(op_read, 0,
                                                                                            "READ"),
    op<Seq<Cookie, Verifier, U32, AsksListed<>, Bitmap>, Ok<Verifier, Entry, U32>>(26, 0, "READDIR"),
    op<AsksFor<ItemKind::readlink_path>, Ok<Data<ItemKind::readlink_path>>>(op_readlink, 0, "READLINK"),
    op<Name, Ok<ChangeInfo>>(28, 0, "REMOVE"),
    op<Seq<Name, Name>, Ok<ChangeInfo, ChangeInfo>>(29, 0, "RENAME"),
    op<ClientId, Status>(30, 0, "RENEW"),
    op<Void, Status>(31, 0, "RESTOREFH"),
    op<Void, Status>(32, 0, "SAVEFH"),
    op<Name, SecInfo>(33, 0, "SECINFO"),
    op<Seq<StateId, Attributes>, Seq<Status, Bitmap>>(34, 0, "SETATTR"),
    op<Seq<Verifier, Opaque, Fixed<4>, NetAddr, Fixed<4>>,
       Switch<Case<0, ClientId, Verifier>, Case<err_clid_inuse, NetAddr>, Failed<>>>(35, 0, "SETCLIENTID"),
    op<Seq<ClientId, Verifier>, Status>(36, 0, "SETCLIENTID_CONFIRM"),
    op<Attributes, Status>(37, 0, "VERIFY"),
    op<Seq<StateId, Offset, U32, Data<ItemKind::write_data>>, Ok<U32, U32, Verifier>>(38, 0, "WRITE"),
    op<Owner, Status>(39, 0, "RELEASE_LOCKOWNER"),

    op<Seq<Fixed<4>, CallbackSecurity>, Status>(40, 1, "BACKCHANNEL_CTL"),
    op<BindArguments, BindResults>(op_bind_conn_to_session, 1, "BIND_CONN_TO_SESSION"),
    op<ExchangeIdArguments, ExchangeIdResults>(42, 1, "EXCHANGE_ID"),
    op<CreateSessionArguments, CreateSessionResults>(op_create_session, 1, "CREATE_SESSION"),
    op<NotedSession, SessionDestroyed>(op_destroy_session, 1, "DESTROY_SESSION"),
    op<StateId, Status>(45, 1, "FREE_STATEID"),
    op<Seq<U32, Flags, Time, Time, Bitmap, Bitmap>, Ok<DirDelegation>>(46, 1, "GET_DIR_DELEGATION"),
    op<Seq<DeviceId, U32, U32, Flags>, Switch<Case<0, Body, Flags>, Case<err_toosmall, U32>, Failed<>>>(
        47, 1, "GETDEVICEINFO"),
    op<Seq<U32, U32, Cookie, Verifier>, Ok<Cookie, Verifier, Array<DeviceId>, U32>>(48, 1, "GETDEVICELIST"),
    op<LayoutCommitArguments, Ok<Maybe<U64>>>(49, 1, "LAYOUTCOMMIT"),
    op<Seq<Numeric<12>, U64, U64, U64, StateId, U32>, LayoutGetResults>(50, 1, "LAYOUTGET"),
    op<LayoutReturnArguments, Ok<Maybe<StateId>>>(51, 1, "LAYOUTRETURN"),
    op<U32, SecInfo>(52, 1, "SECINFO_NO_NAME"),
    op<Seq<SessionId, Numeric<16>>, Ok<SessionId, Numeric<20>>>(53, 1, "SEQUENCE"),
    op<Seq<Opaque, Opaque>, Ok<Opaque>>(54, 1, "SET_SSV"),
    op<Array<StateId>, Ok<Array<U32>>>(55, 1, "TEST_STATEID"),
    op<Seq<U32, Switch<Case<1, U32>, Case<4>, Case<6>>>, Ok<Delegation>>(56, 1, "WANT_DELEGATION"),
    op<ClientId, Status>(57, 1, "DESTROY_CLIENTID"),
    op<U32, Status>(58, 1, "RECLAIM_COMPLETE"),

    op<Seq<StateId, Offset, LongCount>, Status>(59, 2, "ALLOCATE"),
    op<Seq<StateId, StateId, U64, U64, U64, U32, U32, Array<NetLoc>>, CopyResults>(60, 2, "COPY"),
    op<Seq<StateId, NetLoc>, Ok<Time, StateId, Array<NetLoc>>>(61, 2, "COPY_NOTIFY"),
    op<Seq<StateId, Offset, LongCount>, Status>(62, 2, "DEALLOCATE"),
    op<Seq<StateId, U64, U64, Flags>, Ok<Flags>>(63, 2, "IO_ADVISE"),
    op<Seq<U64, U64, StateId, Array<Fixed<24>>>, Status>(64, 2, "LAYOUTERROR"),
    op<Seq<U64, U64, StateId, Fixed<32>, DeviceId, Body>, Status>(65, 2, "LAYOUTSTATS"),
    op<StateId, Status>(66, 2, "OFFLOAD_CANCEL"),
    op<StateId, Ok<U64, Array<U32>>>(67, 2, "OFFLOAD_STATUS"),
    op<Seq<StateId, Offset, AsksListed<Meaning::count>>, Ok<U32, Contents>>(68, 2, "READ_PLUS"),
    op<Seq<StateId, U64, U32>, Ok<U32, U64>>(69, 2, "SEEK"),
    op<Seq<StateId, U32, Fixed<44>, Opaque>, Ok<WriteResponse>>(70, 2, "WRITE_SAME"),
    op<Seq<StateId, StateId, U64, U64, U64>, Status>(71, 2, "CLONE"),
    op<Opaque, Ok<Opaque>>(72, 2, "GETXATTR"),
    op<Seq<U32, Opaque, Opaque>, Ok<ChangeInfo>>(73, 2, "SETXATTR"),
    op<Seq<Cookie, U32>, Ok<Cookie, Array<Opaque>, U32>>(74, 2, "LISTXATTRS"),
    op<Opaque, Ok<ChangeInfo>>(75, 2, "REMOVEXATTR"),

    op<Void, Status>(op_illegal, 0, "ILLEGAL"),
};
constexpr uint32_t kFirst = operations[0].number;
constexpr size_t kNumbered = std::size(operations) - 1;  // without gaps; ILLEGAL comes last
static_assert([] {
  for (size_t i = 0; i < kNumbered; ++i) {
    if (operations[i].number != kFirst + i) {
      return false;
    }
  }
  return operations[kNumbered].number == op_illegal;
}());

const Operation* find(uint32_t opcode) {
  if (opcode - kFirst < kNumbered) {
    return &operations[opcode - kFirst];
  }
  return opcode == op_illegal ? &operations[kNumbered] : nullptr;
}

// The operations of CB_COMPOUND: RFC 8881 §20 and, of NFSv4.0, RFC 7530 §16;
// CB_OFFLOAD came with RFC 7862 §16. Nothing in them is DDP-eligible (RFC 8267 §6.5).
using Notify = Seq<Flags, Opaque>;                       // notify4
using ReferringCalls = Seq<SessionId, Array<Fixed<8>>>;  // session, and the calls: sequence and slot
using LayoutRecall = Switch<Case<1, Handle, U64, U64, StateId>, Case<2, Fixed<16>>, Case<3>>;
using Offload = Switch<Case<0, WriteResponse>, Default<U64>>;  // how far the COPY got

constexpr Operation callbacks[] = {
    op<Seq<Handle, Bitmap>, Ok<Attributes>>(3, 0, "CB_GETATTR"),
    op<Seq<StateId, U32, Handle>, Status>(4, 0, "CB_RECALL"),
    op<Seq<Numeric<12>, LayoutRecall>, Status>(5, 1, "CB_LAYOUTRECALL"),
    op<Seq<StateId, Handle, Array<Notify>>, Status>(6, 1, "CB_NOTIFY"),
    op<Seq<Handle, Delegation>, Status>(7, 1, "CB_PUSH_DELEG"),
    op<Seq<U32, Flags>, Status>(8, 1, "CB_RECALL_ANY"),
    op<Seq<U32, Flags>, Status>(9, 1, "CB_RECALLABLE_OBJ_AVAIL"),
    op<U32, Status>(10, 1, "CB_RECALL_SLOT"),
    op<Seq<SessionId, Numeric<16>, Array<ReferringCalls>>, Ok<SessionId, Numeric<16>>>(11, 1, "CB_SEQUENCE"),
    op<U64, Status>(12, 1, "CB_WANTS_CANCELLED"),  // two flags
    op<Seq<Handle, Owner>, Status>(13, 1, "CB_NOTIFY_LOCK"),
    op<Array<Notify>, Status>(14, 1, "CB_NOTIFY_DEVICEID"),
    op<Seq<Handle, StateId, Offload>, Status>(15, 2, "CB_OFFLOAD"),
    op<Void, Status>(10044, 0, "CB_ILLEGAL"),
};

}  // namespace

const Operation* operation(uint32_t opcode, uint32_t minor_version) {
  const Operation* found = find(opcode);
  return found != nullptr && found->since <= minor_version ? found : nullptr;
}

const Operation* callback_operation(uint32_t opcode, uint32_t minor_version) {
  for (const Operation& one : callbacks) {
    if (one.number == opcode) {
      return one.since <= minor_version ? &one : nullptr;
    }
  }
  return nullptr;
}

std::string_view operation_name(uint32_t opcode, bool callback) {
  const Operation* found = callback ? callback_operation(opcode, UINT32_MAX) : find(opcode);
  return found != nullptr ? found->name : std::string_view{};
}

}  // namespace steertag::nfs
