#include "nfs/call.h"

#include <algorithm>
#include <vector>

#include "nfs/derailed.h"
#include "nfs/procedure.h"
#include "rpcrdma/programs.h"

namespace steertag::nfs {

void walk_call(const Stream& stream, CallWalk& into) {
  into.clear();
  if (!read_header(stream, into.rpc, into)) {
    return;
  }
  if (!into.rpc.call() || into.rpc.rpcvers != 2) {
    into.reason = Reason::not_rpc;
    return;
  }
  into.header_known = true;
  const uint64_t begin = into.offset;
  Cursor at(stream, begin, into);
  if (hidden(into.rpc)) {
    at.stop(Reason::wrapped);
  } else if (is_compound(into.rpc)) {
    walk_compound_arguments(at, into.rpc.program != rpcrdma::program_nfs, into.compound);
  } else if (const Procedure* procedure = nfs_procedure(into.rpc)) {
    procedure->arguments(at);
  } else {
    at.stop(Reason::unknown_program);
  }
  at.end();
  if (into.derailment) {
    settle_derailed(stream, begin, into);
  }
  // The program of callbacks is any of a range: what cannot be read from its first word on is another's.
  if (into.compound.callback && into.compound.operations.empty() && !into.complete()) {
    into.no_callback = into.reason;
    into.reason = Reason::unknown_program;
  }
}

bool read_header(const Stream& stream, rpcrdma::RpcHeader& rpc, Walk& walk) {
  if (stream.header != nullptr) {
    rpc = *stream.header;
    walk.offset = stream.header_length;
    return true;
  }
  const auto length = static_cast<uint32_t>(std::min<uint64_t>(stream.length, UINT32_MAX));
  base::StretchReader reader(stream.stretches());
  const Bytes front = reader.run(0, length);
  rpcrdma::RpcDecoded decoded = rpcrdma::decode(front, length, rpc);
  if (decoded.stop && front.size() < length) {  // it goes on in another piece, perhaps
    std::vector<uint8_t> joined(front.begin(), front.end());
    for (Bytes more; !(more = reader.run(joined.size(), length - joined.size())).empty();) {
      joined.insert(joined.end(), more.begin(), more.end());
    }
    decoded = rpcrdma::decode(joined, length, rpc);
  }
  walk.offset = decoded.header_length;
  if (decoded.stop) {
    walk.reason = decoded.stop->limit == wire::Limit::capture ? Reason::not_captured : Reason::past_end;
  }
  return !decoded.stop;
}

bool hidden(const rpcrdma::RpcHeader& call) {
  if (call.credential.flavor != rpcrdma::Flavor::gss) {
    return false;
  }
  const auto gss = rpcrdma::gss_credential(call.credential);
  // A credential that cannot be read promises nothing.
  return !gss || gss->proc != rpcrdma::GssProc::data || gss->service != rpcrdma::GssService::none;
}

bool open_to_read(const rpcrdma::RpcHeader& call) {
  const auto gss = rpcrdma::gss_credential(call.credential);
  return gss && gss->proc == rpcrdma::GssProc::data && gss->service == rpcrdma::GssService::integrity;
}

std::optional<Stream> inside_integrity(const Stream& stream, uint64_t begin) {
  constexpr uint64_t kSequenceNumber = 4, kFront = 4 + kSequenceNumber;
  Stream inside = stream;
  inside.marks = nullptr;
  Walk scratch;
  Cursor at(inside, begin, scratch);
  const uint64_t length = at.word();
  if (at.stopped() || length < kSequenceNumber || length > stream.length - begin - kFront) {
    return std::nullopt;
  }
  inside.marks = stream.marks;
  inside.length = begin + 4 + length;
  inside.header_length = static_cast<uint32_t>(begin + kFront);
  return inside;
}

const Procedure* nfs_procedure(const rpcrdma::RpcHeader& call) {
  static constexpr Procedure nfs4_null = row<Void, Void>(0, "NULL");
  if (call.program == rpcrdma::program_nfsacl) {
    return nfsacl_procedure(call.version, call.procedure);
  }
  if (call.program != rpcrdma::program_nfs) {
    const bool null = call.procedure == 0 && rpcrdma::nfs4_callback(call.program, call.version);
    return null ? &nfs4_null : nullptr;
  }
  switch (call.version) {
    case 2:
      return nfs2_procedure(call.procedure);
    case 3:
      return nfs3_procedure(call.procedure);
    case 4:
      return call.procedure == 0 ? &nfs4_null : nullptr;
    default:
      return nullptr;
  }
}

bool is_compound(const rpcrdma::RpcHeader& call) {
  return is_compound(call.program, call.version, call.procedure);
}

bool is_compound(uint32_t program, uint32_t version, uint32_t procedure) {
  const bool nfs4 = program == rpcrdma::program_nfs && version == 4;
  return procedure == compound && (nfs4 || rpcrdma::nfs4_callback(program, version));
}

}  // namespace steertag::nfs
