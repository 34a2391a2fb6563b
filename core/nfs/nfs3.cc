// NFSv3, all 22 procedures (RFC 1813 §3.3).

#include <iterator>

#include "nfs/procedure.h"

namespace steertag::nfs {
namespace v3 {
namespace {

// RFC 1813 §2.5 and §2.6, by the names they have there.
using Verifier = Fixed<8>;
using Attributes = Fixed<84>;              // fattr3
using After = Maybe<Attributes>;           // post_op_attr
using Wcc = Seq<Maybe<Fixed<24>>, After>;  // wcc_data
using NewHandle = Maybe<Handle>;           // post_op_fh3
using Id = Fixed<4>;                       // mode, uid, gid
using Cookie = Fixed<8>;                   // where a directory goes on
using FileId = Fixed<8>;
using Device = Fixed<8>;
using Time = Switch<Case<0>, Case<1>, Case<2, Fixed<8>>>;  // set_atime, set_mtime
using SetAttributes = Seq<Maybe<Id>, Maybe<Id>, Maybe<Id>, Maybe<Fixed<8>>, Time, Time>;  // sattr3

using CreateHow = Switch<Case<0, SetAttributes>, Case<1, SetAttributes>, Case<2, Verifier>>;
using Node =
    Switch<Case<3, SetAttributes, Device>, Case<4, SetAttributes, Device>,  // block and character device
           Case<6, SetAttributes>, Case<7, SetAttributes>,                  // socket and FIFO
           Default<>>;

// Results: what follows the status where it is NFS3_OK, and where it is not.
template <typename Good, typename Bad>
using Either = Switch<Case<0, Good>, Failed<Bad>>;
template <typename... Parts>
using File = Either<Seq<After, Parts...>, After>;  // of an object that is only looked at
template <typename... Parts>
using Changed = Either<Seq<Wcc, Parts...>, Wcc>;  // of an object that is changed
using Created = Either<Seq<NewHandle, After, Wcc>, Wcc>;

using Entry = Chain<FileId, Name, Cookie>;
using EntryPlus = Chain<FileId, Name, Cookie, After, NewHandle>;

constexpr Procedure procedures[] = {
    row<Void, Void>(0, "NULL"),
    row<Handle, Ok<Attributes>>(1, "GETATTR"),
    row<Seq<Handle, SetAttributes, Maybe<Fixed<8>>>, Changed<>>(2, "SETATTR"),
    row<Seq<Handle, Name>, Either<Seq<Handle, After, After>, After>>(3, "LOOKUP"),
    row<Seq<Handle, U32>, File<U32>>(4, "ACCESS"),
    row<Seq<Handle, AsksFor<ItemKind::readlink_path>>, File<Data<ItemKind::readlink_path>>>(5, "READLINK"),
    row<Seq<Handle, Offset, Asks<ItemKind::read_data>>, File<U32, U32, Data<ItemKind::read_data>>>(6, "READ"),
    row<Seq<Handle, Offset, Count, U32, Data<ItemKind::write_data>>, Changed<U32, U32, Verifier>>(7, "WRITE"),
    row<Seq<Handle, Name, CreateHow>, Created>(8, "CREATE"),
    row<Seq<Handle, Name, SetAttributes>, Created>(9, "MKDIR"),
    row<Seq<Handle, Name, SetAttributes, Data<ItemKind::symlink_path>>, Created>(10, "SYMLINK"),
    row<Seq<Handle, Name, Node>, Created>(11, "MKNOD"),
    row<Seq<Handle, Name>, Changed<>>(12, "REMOVE"),
    row<Seq<Handle, Name>, Changed<>>(13, "RMDIR"),
    row<Seq<Handle, Name, Handle, Name>, Seq<Status, Wcc, Wcc>>(14, "RENAME"),
    row<Seq<Handle, Handle, Name>, Seq<Status, After, Wcc>>(15, "LINK"),
    row<Seq<Handle, Cookie, Verifier, AsksListed<>>, File<Verifier, Entry, U32>>(16, "READDIR"),
    row<Seq<Handle, Cookie, Verifier, U32, AsksListed<>>, File<Verifier, EntryPlus, U32>>(17, "READDIRPLUS"),
    row<Handle, File<Fixed<52>>>(18, "FSSTAT"),
    row<Handle, File<Fixed<48>>>(19, "FSINFO"),
    row<Handle, File<Fixed<24>>>(20, "PATHCONF"),
    row<Seq<Handle, Offset, Count>, Changed<Verifier>>(21, "COMMIT"),
};

}  // namespace
}  // namespace v3

const Procedure* nfs3_procedure(uint32_t number) {
  return number < std::size(v3::procedures) ? &v3::procedures[number] : nullptr;
}

}  // namespace steertag::nfs
