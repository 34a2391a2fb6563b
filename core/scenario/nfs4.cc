// NFS version four, RFC 8881: COMPOUND and CB_COMPOUND, with the operations
// that scenarios use. Values are made up; session ids, slots and sequence
// numbers are the same in every message. Operations without bulk items are in nfs4_more.cc.
#include "scenario/procedures.h"
#include "scenario/xdr.h"

namespace steertag::scenario::nfs4 {
namespace {

void session_id(Xdr& xdr, const SessionSpec& session = {}) {
  xdr.fixed(16, static_cast<uint8_t>(session.id));
}
void file_handle(Xdr& xdr) {
  xdr.opaque(pattern(32, 1));
}
void bitmap(Xdr& xdr) {
  xdr.words({1, 0x18});  // change, size
}
void attributes(Xdr& xdr) {  // fattr4: change, size
  bitmap(xdr);
  xdr.u32(16);
  xdr.u64(1);
  xdr.u64(65536);
}
void channel(Xdr& xdr) {
  xdr.words({0, 1 << 20, 1 << 20, 4096, 8, 64, 0});
}

// `bulk_out`, `bulk_in`: the length of the next bulk item of that direction.
void argument(Xdr& xdr, uint32_t operation, uint32_t bulk_out, uint32_t bulk_in,
              const SessionSpec& session = {}) {
  xdr.u32(operation);
  switch (operation) {
    case kSequence:
      session_id(xdr);
      return xdr.words({1, 0, 0, 0});
    case kPutfh:
      return file_handle(xdr);
    case kLookup:
      return xdr.string("file");
    case kGetattr:
      return bitmap(xdr);
    case kRead:
    case kReadPlus:
      state_id(xdr);
      xdr.u64(0);
      return xdr.u32(bulk_in);
    case kWrite:
      state_id(xdr);
      xdr.u64(0);
      xdr.u32(2);
      return xdr.bulk(bulk_out);
    case kCreate:  // a symbolic link
      xdr.u32(5);
      xdr.bulk(bulk_out);
      xdr.string("link");
      return xdr.words({0, 0});  // no attributes
    case kReaddir:
      xdr.u64(0);
      xdr.fixed(8, 0);
      xdr.words({bulk_in, bulk_in});
      return bitmap(xdr);
    case kExchangeId:
      xdr.fixed(8, 13);
      xdr.string("client");
      return xdr.words({0x101, 0, 0});
    case kCreateSession:
      xdr.u64(1);
      xdr.words({1, session.said.value_or(2)});  // sequence, CREATE_SESSION4_FLAG_CONN_BACK_CHAN
      channel(xdr);
      channel(xdr);
      return xdr.words({kCallbackProgram, 1, 0});
    case kBindConnToSession:
      session_id(xdr, session);
      return xdr.words({session.said.value_or(3), 1});  // both channels or the fore one, RDMA mode
    case kDestroySession:
      return session_id(xdr, session);
    case kReclaimComplete:
      return xdr.u32(0);
    default:
      return put_plain_argument(xdr, operation, bulk_out);
  }
}

void directory(Xdr& xdr, uint32_t room) {
  fill_directory(room, 16 + 28, [&](uint32_t name, uint64_t cookie) {
    xdr.u32(1);
    xdr.u64(cookie);
    xdr.string(entry_name(name, cookie));
    attributes(xdr);
  });
  xdr.words({0, 1});
}

void result(Xdr& xdr, uint32_t operation, uint32_t bulk_in, const SessionSpec& session = {}) {
  switch (operation) {
    case kSequence:
      session_id(xdr);
      return xdr.words({1, 0, 63, 63, session.status_flags});
    case kGetfh:
      return file_handle(xdr);
    case kGetattr:
      return attributes(xdr);
    case kRead:
      xdr.u32(0);
      return xdr.bulk(bulk_in);
    case kReadPlus:
      xdr.words({1, 1, 0});
      xdr.u64(0);
      return xdr.opaque(pattern(bulk_in, 7));  // not DDP-eligible
    case kReadlink:
      return xdr.bulk(bulk_in);
    case kWrite:
      xdr.words({bulk_in, 2});
      return xdr.fixed(8, 3);
    case kCreate:
      xdr.words({1, 0, 1, 0, 2});  // change_info4
      return xdr.u32(0);
    case kReaddir:
      xdr.fixed(8, 4);
      return directory(xdr, bulk_in);
    case kExchangeId:
      xdr.u64(1);
      xdr.words({1, 0x10001, 0});
      xdr.u64(1);
      xdr.string("server");
      xdr.string("scope");
      return xdr.u32(0);
    case kCreateSession:
      session_id(xdr, session);
      xdr.words({1, session.said.value_or(2)});
      channel(xdr);
      return channel(xdr);
    case kBindConnToSession:
      session_id(xdr, session);
      return xdr.words({session.said.value_or(3), 1});
    default:
      return put_plain_result(xdr, operation, bulk_in);
  }
}

bool has_bulk_argument(uint32_t operation) {
  return operation == kWrite || operation == kCreate || operation == kSetxattr;
}
bool has_bulk_result(uint32_t operation) {
  return operation == kRead || operation == kReadlink || operation == kReadPlus || operation == kReaddir ||
         operation == kGetxattr || operation == kListxattrs;
}

// Callbacks have numbers of their own.
void callback_argument(Xdr& xdr, uint32_t operation) {
  xdr.u32(operation);
  switch (operation) {
    case kCbGetattr:
      file_handle(xdr);
      return bitmap(xdr);
    case kCbRecall:
      state_id(xdr);
      xdr.u32(0);
      return file_handle(xdr);
    case kCbRecallAny:
      return xdr.words({16, 1, 2});  // how many may be kept; a bitmap
    case kCbRecallSlot:
      return xdr.u32(8);
    case kCbSequence:
      session_id(xdr);
      return xdr.words({1, 0, 0, 0, 0});
    default:
      return;
  }
}

void callback_result(Xdr& xdr, uint32_t operation) {
  if (operation == kCbGetattr) {
    attributes(xdr);
  } else if (operation == kCbSequence) {
    session_id(xdr);
    xdr.words({1, 0, 0, 0});
  }
}

}  // namespace

void put_arguments(Xdr& xdr, const Procedure& procedure, const BulkSizes& arguments,
                   const BulkSizes& results) {
  if (procedure.procedure == 0) {
    return;
  }
  const bool callback = procedure.family == Family::callback;
  xdr.string("");
  xdr.u32(procedure.minor);
  if (callback) {
    xdr.u32(0);  // callback_ident
  }
  xdr.u32(static_cast<uint32_t>(procedure.operations.size()));
  size_t out = 0, in = 0;
  for (const uint32_t operation : procedure.operations) {
    if (callback) {
      callback_argument(xdr, operation);
      continue;
    }
    argument(xdr, operation, arguments.at(out), results.at(in), arguments.session);
    out += has_bulk_argument(operation);
    in += has_bulk_result(operation);
  }
}

void put_results(Xdr& xdr, const Procedure& procedure, uint32_t status, const BulkSizes& results) {
  if (procedure.procedure == 0) {
    return;
  }
  xdr.u32(status);
  xdr.string("");
  xdr.u32(static_cast<uint32_t>(procedure.operations.size()));
  size_t in = 0;
  for (size_t i = 0; i < procedure.operations.size(); ++i) {
    const uint32_t operation = procedure.operations[i];
    const bool failed = status != 0 && i + 1 == procedure.operations.size();
    xdr.words({operation, failed ? status : 0});
    if (procedure.family == Family::callback && !failed) {
      callback_result(xdr, operation);
    } else if (!failed) {
      result(xdr, operation, results.at(in), results.session);
    } else if (procedure.family == Family::nfs4 && operation == kSetattr) {
      xdr.u32(0);  // RFC 8881 §18.30.2: which attributes were set, even where it failed
    }
    in += procedure.family == Family::nfs4 && has_bulk_result(operation);
  }
}

}  // namespace steertag::scenario::nfs4
