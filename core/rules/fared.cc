#include "rules/fared.h"

#include "flow/payload.h"
#include "rpcrdma/programs.h"

namespace steertag::rules {
namespace {

// NFSv2 to v4, NFSACL and the callbacks of NFSv4 answer everything but NULL with a
// status first (RFC 1094 §2.2, RFC 1813 §3.3, RFC 8881 §16.2.3, §20.2).
bool begins_with_status(const flow::Exchange::Procedure& what) {
  const bool nfs = what.program == rpcrdma::program_nfs && what.version >= 2 && what.version <= 4;
  const bool acl = what.program == rpcrdma::program_nfsacl && (what.version == 2 || what.version == 3);
  return what.procedure != 0 && (nfs || acl || rpcrdma::nfs4_callback(what.program, what.version));
}

Fared judge_reply(const flow::Exchange& call, const rpcrdma::RpcHeader& rpc,
                  const rpcrdma::RpcDecoded& decoded, Bytes payload) {
  if (rpc.call() || decoded.stop) {
    return Fared::unknown;
  }
  if (!rpc.succeeded()) {
    return Fared::failed;
  }
  if (!call.procedure || (call.call_message.has_rpc && rpcrdma::wrapped(call.call_message.rpc.credential))) {
    return Fared::unknown;
  }
  if (call.procedure->procedure == 0) {
    return Fared::succeeded;
  }
  const Bytes status = slice(payload, decoded.header_length, 4);
  if (!begins_with_status(*call.procedure) || status.size() < 4) {
    return Fared::unknown;
  }
  return (status[0] | status[1] | status[2] | status[3]) == 0 ? Fared::succeeded : Fared::failed;
}

Fared judge_chunk(const flow::Exchange& call, const flow::PayloadStream& stream) {
  rpcrdma::RpcHeader rpc;
  const rpcrdma::RpcDecoded decoded = stream.decode_header(rpc);
  return rpc.xid == call.xid ? judge_reply(call, rpc, decoded, stream.front()) : Fared::unknown;
}

}  // namespace

Fared fared(const flow::Exchange& call, const flow::Message& reply) {
  if (reply.rpc != nullptr) {
    return judge_reply(call, *reply.rpc, reply.rpc_decoded, reply.payload);
  }
  if (!reply.header->is_nomsg()) {
    return Fared::unknown;
  }
  flow::PayloadStream stream;
  flow::reply_chunk_front(call, reply.header->chunks, stream);
  return judge_chunk(call, stream);
}

Fared fared(const flow::Exchange& exchange) {
  const flow::KeptMessage& reply_message = exchange.reply_message;
  if (reply_message.has_rpc) {
    return judge_reply(exchange, reply_message.rpc, reply_message.rpc_decoded, exchange.reply_inline);
  }
  flow::PayloadStream stream;
  if (!reply_message.kept || !reply_message.header.is_nomsg() ||
      !flow::reply_payload(exchange, stream, flow::kFront)) {
    return Fared::unknown;
  }
  return judge_chunk(exchange, stream);
}

}  // namespace steertag::rules
