// NFSv2 as far as chunks have to do with it (RFC 1094 §2.2): the four procedures
// with a DDP-eligible item (RFC 8267 §4). Everything has a fixed size but names,
// paths and data; a file handle is 32 bytes without a count.

#include "nfs/procedure.h"

namespace steertag::nfs {
namespace v2 {
namespace {

using Handle = Fixed<32>;
using Attributes = Fixed<68>;     // fattr
using SetAttributes = Fixed<32>;  // sattr
using Offsets = Fixed<12>;        // of WRITE: where, and fields no longer used
constexpr uint32_t kMaxPath = 1024;

constexpr Procedure procedures[] = {
    row<Void, Void>(0, "NULL"),
    row<Seq<Handle, AsksFor<ItemKind::readlink_path, kMaxPath>>, Ok<Data<ItemKind::readlink_path>>>(
        5, "READLINK"),
    row<Seq<Handle, U32, Asks<ItemKind::read_data>, U32>, Ok<Attributes, Data<ItemKind::read_data>>>(6,
                                                                                                     "READ"),
    row<Seq<Handle, Offsets, Data<ItemKind::write_data>>, Ok<Attributes>>(8, "WRITE"),
    row<Seq<Handle, Opaque, Data<ItemKind::symlink_path>, SetAttributes>, Status>(13, "SYMLINK"),
};

}  // namespace
}  // namespace v2

const Procedure* nfs2_procedure(uint32_t number) {
  for (const Procedure& procedure : v2::procedures) {
    if (procedure.number == number) {
      return &procedure;
    }
  }
  return nullptr;
}

}  // namespace steertag::nfs
