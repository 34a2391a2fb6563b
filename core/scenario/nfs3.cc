// NFS version three, RFC 1813: arguments and results of the procedures that
// scenarios call. Field order is all that matters here; values are made up.
#include "scenario/procedures.h"
#include "scenario/xdr.h"

namespace steertag::scenario::nfs3 {
namespace {

void file_handle(Xdr& xdr, uint32_t seed = 1) {
  xdr.opaque(pattern(32, seed));
}

void attributes(Xdr& xdr) {  // fattr3, 84 bytes
  xdr.words({1, 0644, 1, 1000, 1000});
  xdr.u64(65536);     // size
  xdr.u64(65536);     // used
  xdr.words({0, 0});  // rdev
  xdr.u64(1);         // fsid
  xdr.u64(42);        // fileid
  xdr.words({1700000000, 0, 1700000000, 0, 1700000000, 0});
}

void post_op_attributes(Xdr& xdr) {
  xdr.u32(1);
  attributes(xdr);
}

void wcc_data(Xdr& xdr) {
  xdr.u32(0);  // no pre_op_attr
  post_op_attributes(xdr);
}

// `plus`: with attributes and file handles.
void directory(Xdr& xdr, uint32_t room, bool plus) {
  fill_directory(room, plus ? 24 + 88 + 40 : 24, [&](uint32_t name, uint64_t cookie) {
    xdr.u32(1);
    xdr.u64(100 + cookie);
    xdr.string(entry_name(name, cookie));
    xdr.u64(cookie);
    if (plus) {
      post_op_attributes(xdr);
      xdr.u32(1);
      file_handle(xdr, 5);
    }
  });
  xdr.words({0, 1});  // no more entries, end of directory
}

void set_attributes(Xdr& xdr) {  // sattr3: nothing is set
  xdr.words({0, 0, 0, 0, 0, 0});
}

void created(Xdr& xdr) {
  xdr.u32(1);
  file_handle(xdr, 3);
  post_op_attributes(xdr);
  wcc_data(xdr);
}

void failure(Xdr& xdr, uint32_t procedure) {
  switch (procedure) {
    case kGetattr:
      return;
    case kSetattr:
    case kWrite:
    case kCreate:
    case kMkdir:
    case kSymlink:
    case kMknod:
    case kRemove:
    case kRmdir:
    case kCommit:
      return wcc_data(xdr);
    case kRename:
      wcc_data(xdr);
      return wcc_data(xdr);
    case kLink:
      post_op_attributes(xdr);
      return wcc_data(xdr);
    default:
      return post_op_attributes(xdr);
  }
}

}  // namespace

void put_arguments(Xdr& xdr, uint32_t procedure, const BulkSizes& arguments, const BulkSizes& results) {
  if (procedure == kNull) {
    return;
  }
  file_handle(xdr);
  switch (procedure) {
    case kLookup:
      return xdr.string("file");
    case kAccess:
      return xdr.u32(0x3F);
    case kRead:
      xdr.u64(0);
      return xdr.u32(results.at(0));
    case kWrite:
      xdr.u64(0);
      xdr.words({arguments.at(0), 2});  // FILE_SYNC
      return xdr.bulk(arguments.at(0));
    case kSetattr:
      set_attributes(xdr);
      return xdr.u32(0);  // no guard
    case kCreate:
    case kMknod:
      xdr.string("file");
      xdr.u32(procedure == kCreate ? 0 : 7);  // UNCHECKED; NF3FIFO
      return set_attributes(xdr);
    case kMkdir:
      xdr.string("folder");
      return set_attributes(xdr);
    case kRemove:
    case kRmdir:
      return xdr.string("entry");
    case kRename:
      xdr.string("old");
      file_handle(xdr, 2);
      return xdr.string("new");
    case kLink:
      file_handle(xdr, 2);
      return xdr.string("name");
    case kSymlink:
      xdr.string("link");
      set_attributes(xdr);
      return xdr.bulk(arguments.at(0));
    case kReaddir:
    case kReaddirplus:
      xdr.u64(0);
      xdr.fixed(8, 0);
      if (procedure == kReaddirplus) {
        xdr.u32(results.at(0));
      }
      return xdr.u32(results.at(0));
    case kCommit:
      xdr.u64(0);
      return xdr.u32(0);
    default:
      return;
  }
}

void put_results(Xdr& xdr, uint32_t procedure, uint32_t status, const BulkSizes& results) {
  if (procedure == kNull) {
    return;
  }
  xdr.u32(status);
  if (status != 0) {
    return failure(xdr, procedure);
  }
  switch (procedure) {
    case kGetattr:
      return attributes(xdr);
    case kLookup:
      file_handle(xdr, 2);
      post_op_attributes(xdr);
      return post_op_attributes(xdr);
    case kAccess:
      post_op_attributes(xdr);
      return xdr.u32(0x3F);
    case kReadlink:
      post_op_attributes(xdr);
      return xdr.bulk(results.at(0));
    case kRead:
      post_op_attributes(xdr);
      xdr.words({results.at(0), 0});
      return xdr.bulk(results.at(0));
    case kWrite:
      wcc_data(xdr);
      xdr.words({results.at(0), 2});
      return xdr.fixed(8, 3);
    case kCreate:
    case kMkdir:
    case kSymlink:
    case kMknod:
      return created(xdr);
    case kFsstat:
      post_op_attributes(xdr);
      return xdr.fixed(52, 9);
    case kPathconf:
      post_op_attributes(xdr);
      return xdr.words({32000, 255, 1, 1, 0, 1});
    case kReaddir:
    case kReaddirplus:
      post_op_attributes(xdr);
      xdr.fixed(8, 4);
      return directory(xdr, results.at(0), procedure == kReaddirplus);
    case kFsinfo:
      post_op_attributes(xdr);
      xdr.words({1 << 20, 1 << 20, 512, 1 << 20, 1 << 20, 512, 1 << 16});
      xdr.u64(1ull << 40);
      return xdr.words({0, 1, 0x1B});
    case kCommit:
      wcc_data(xdr);
      return xdr.fixed(8, 3);
    default:  // SETATTR, REMOVE, RMDIR, RENAME, LINK: what a failed one returns
      return failure(xdr, procedure);
  }
}

}  // namespace steertag::scenario::nfs3
