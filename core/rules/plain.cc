#include "rules/plain.h"

#include "rules/reading.h"

namespace steertag::rules::plain {
namespace {

// RFC 5531 §9: a Call with empty credential and verifier; a Reply that is denied.
constexpr uint32_t kLeastCall = 40, kLeastReply = 20;

bool sound(const rpcrdma::TransportHeader& h, const rpcrdma::Decoded& decoded) {
  return h.is(rpcrdma::v1::Proc::msg) && !decoded.stop && !decoded.odd_discriminator;
}

bool is_call(const rpcrdma::RpcHeader& rpc) {
  return rpc.call() && rpc.rpcvers == rpcrdma::rpc_version;
}

// The RPC message behind the header is one, and the one that the header names.
bool conveys_its_own(const flow::Message& message, bool call) {
  return message.rpc != nullptr && !message.rpc_decoded.stop && message.rpc->xid == message.header->xid &&
         (call ? is_call(*message.rpc) : message.rpc->type == rpcrdma::MsgType::reply) &&
         message.payload_length >= (call ? kLeastCall : kLeastReply) && message.payload_length % 4 == 0;
}

// Nothing that went before sets the message apart: the version is settled, credits are granted.
bool in_the_course_of_things(const flow::Standing& standing) {
  return standing.known && !standing.refused && standing.refusal == nullptr && !standing.configured &&
         standing.agreed && standing.agreed->value == 1 && standing.credits.any_grant &&
         standing.credits.owed_dones == 0;
}

Traits lists_of(const rpcrdma::ChunkLists& chunks) {
  Traits lists = {};
  if (!chunks.reads.empty()) {
    lists |= reads;
  }
  if (!chunks.writes.empty()) {
    lists |= writes;
  }
  if (!chunks.reply.empty()) {
    lists |= reply_chunk;
  }
  return lists;
}

// The one open Call that a Reply is to, where it is as plain.
const flow::KeptMessage* answered_call(const flow::Message& reply) {
  const flow::Exchange* open = reply.standing->open;
  const bool plain = open != nullptr && open->call && open->resent == 0 && open->version == 1 &&
                     open->call_message.kept && sound(open->call_message.header, open->call_message.decoded);
  return plain ? &open->call_message : nullptr;
}

}  // namespace

Traits traits_of(const flow::Message& message) {
  const bool call = message.direction == flow::Direction::call;
  const rdma::Side requester = call ? message.from : rdma::other(message.from);
  if (message.direction == flow::Direction::unknown || message.direction_guessed || message.conf_rdma ||
      !sound(*message.header, message.decoded) || message.header->credit == 0 ||
      message.connection->client != requester || !conveys_its_own(message, call) ||
      !in_the_course_of_things(*message.standing)) {
    return 0;
  }
  const Traits own = lists_of(message.header->chunks);
  const Traits all = plain | own | (message.send_invalidate ? invalidates : 0);
  if (call) {
    return message.standing->open == nullptr ? all : 0;
  }
  const flow::KeptMessage* answered = answered_call(message);
  return answered == nullptr || (own & reads) != 0 ? 0 : all | (lists_of(answered->header.chunks) & ~reads);
}

Traits traits_of(const flow::Exchange& exchange) {
  const flow::KeptMessage& call = exchange.call_message;
  const flow::KeptMessage& reply = exchange.reply_message;
  const bool answered = exchange.status == flow::Status::complete && exchange.complete && exchange.call &&
                        exchange.reply && !exchange.error && !exchange.backward && !exchange.reply_by_xid &&
                        !exchange.done && exchange.resent == 0 && exchange.version == 1;
  if (!answered || !exchange.procedure || exchange.procedure->program != rpcrdma::program_nfs || !call.kept ||
      !reply.kept || !sound(call.header, call.decoded) || !sound(reply.header, reply.decoded) ||
      !call.has_rpc || call.rpc_decoded.stop || !is_call(call.rpc) || call.rpc.xid != call.header.xid ||
      call.rpc.credential.flavor == rpcrdma::Flavor::gss || !reply.header.chunks.reads.empty()) {
    return 0;
  }
  return plain | lists_of(call.header.chunks) | lists_of(reply.header.chunks);
}

Traits traits_of(const flow::Access& access) {
  return access.verdict != flow::Verdict::fine ? 0 : plain | (access.reading ? reads : writes);
}

}  // namespace steertag::rules::plain
