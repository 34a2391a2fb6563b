// The operations of CB_COMPOUND: RFC 8881 §20 and, of NFSv4.0, RFC 7530 §16;
// CB_OFFLOAD came with RFC 7862 §16. Nothing in them is DDP-eligible (RFC 8267 §6.5).

#include "nfs/nfs4_operations.h"
#include "nfs/nfs4_shapes.h"

namespace steertag::nfs {
namespace {

using namespace v4;

using FileHandle = Opaque;
using Notify = Seq<Bitmap, Opaque>;                      // notify4
using ReferringCalls = Seq<SessionId, Array<Fixed<8>>>;  // session, and the calls: sequence and slot
using LayoutRecall = Switch<Case<1, FileHandle, U64, U64, StateId>, Case<2, Fixed<16>>, Case<3>>;
using Offload = Switch<Case<0, WriteResponse>, Default<U64>>;  // how far the COPY got

constexpr Operation callbacks[] = {
    op<Seq<FileHandle, Bitmap>, Ok<Attributes>>(3, 0, "CB_GETATTR"),
    op<Seq<StateId, U32, FileHandle>, Status>(4, 0, "CB_RECALL"),
    op<Seq<Numeric<12>, LayoutRecall>, Status>(5, 1, "CB_LAYOUTRECALL"),
    op<Seq<StateId, FileHandle, Array<Notify>>, Status>(6, 1, "CB_NOTIFY"),
    op<Seq<FileHandle, Delegation>, Status>(7, 1, "CB_PUSH_DELEG"),
    op<Seq<U32, Bitmap>, Status>(8, 1, "CB_RECALL_ANY"),
    op<Seq<U32, Bitmap>, Status>(9, 1, "CB_RECALLABLE_OBJ_AVAIL"),
    op<U32, Status>(10, 1, "CB_RECALL_SLOT"),
    op<Seq<SessionId, Numeric<16>, Array<ReferringCalls>>, Ok<SessionId, Numeric<16>>>(11, 1, "CB_SEQUENCE"),
    op<U64, Status>(12, 1, "CB_WANTS_CANCELLED"),  // two flags
    op<Seq<FileHandle, Owner>, Status>(13, 1, "CB_NOTIFY_LOCK"),
    op<Array<Notify>, Status>(14, 1, "CB_NOTIFY_DEVICEID"),
    op<Seq<FileHandle, StateId, Offload>, Status>(15, 2, "CB_OFFLOAD"),
    op<Void, Status>(10044, 0, "CB_ILLEGAL"),
};

}  // namespace

const Operation* callback_operation(uint32_t opcode, uint32_t minor_version) {
  for (const Operation& one : callbacks) {
    if (one.number == opcode) {
      return one.since <= minor_version ? &one : nullptr;
    }
  }
  return nullptr;
}

}  // namespace steertag::nfs
