// NFSv2, all 18 procedures (RFC 1094 §2.2). ROOT is obsolete, and WRITECACHE was never used.

#include <iterator>

#include "nfs/procedure.h"

namespace steertag::nfs {
namespace v2 {
namespace {

// RFC 1094 §2.3, by the names they have there.
using Handle = FixedHandle;
using Attributes = Fixed<68>;     // fattr
using SetAttributes = Fixed<32>;  // sattr
using Cookie = Fixed<4>;          // where a directory goes on
using FileId = Fixed<4>;
using Unused = U32;  // of READ and WRITE: senders put an offset or a count there
constexpr uint32_t kMaxPath = 1024;

using In = Seq<Handle, Name>;            // diropargs
using Attributed = Ok<Attributes>;       // attrstat
using Entered = Ok<Handle, Attributes>;  // diropres
using Entry = Chain<FileId, Name, Cookie>;

constexpr Procedure procedures[] = {
    row<Void, Void>(0, "NULL"),
    row<Handle, Attributed>(1, "GETATTR"),
    row<Seq<Handle, SetAttributes>, Attributed>(2, "SETATTR"),
    row<Void, Void>(3, "ROOT"),
    row<In, Entered>(4, "LOOKUP"),
    row<Seq<Handle, AsksFor<ItemKind::readlink_path, kMaxPath>>, Ok<Data<ItemKind::readlink_path>>>(
        5, "READLINK"),
    row<Seq<Handle, ShortOffset, Asks<ItemKind::read_data>, Unused>,
        Ok<Attributes, Data<ItemKind::read_data>>>(6, "READ"),
    row<Void, Void>(7, "WRITECACHE"),
    row<Seq<Handle, Unused, ShortOffset, Unused, Data<ItemKind::write_data>>, Attributed>(8, "WRITE"),
    row<Seq<In, SetAttributes>, Entered>(9, "CREATE"),
    row<In, Status>(10, "REMOVE"),
    row<Seq<In, In>, Status>(11, "RENAME"),
    row<Seq<Handle, In>, Status>(12, "LINK"),
    row<Seq<In, Data<ItemKind::symlink_path>, SetAttributes>, Status>(13, "SYMLINK"),
    row<Seq<In, SetAttributes>, Entered>(14, "MKDIR"),
    row<In, Status>(15, "RMDIR"),
    row<Seq<Handle, Cookie, AsksListed<>>, Ok<Entry, U32>>(16, "READDIR"),
    row<Handle, Ok<Fixed<20>>>(17, "STATFS"),
};

}  // namespace
}  // namespace v2

const Procedure* nfs2_procedure(uint32_t number) {
  return number < std::size(v2::procedures) ? &v2::procedures[number] : nullptr;
}

}  // namespace steertag::nfs
