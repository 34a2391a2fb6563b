// The XID of the transport header and that of the RPC message it conveys.

#include "flow/payload.h"
#include "rpcrdma/programs.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// What stands behind an RDMA2_OPTIONAL of an unknown extension, if it can be nothing but a whole Call of a
// program that is known: any part of a message may be there (version-two-02 §5.2.1), and a Reply begins with
// words that results have, too.
std::optional<uint32_t> called_by_option(const flow::Message& message) {
  rpcrdma::RpcHeader rpc;
  if (!unknown_option(message) || !flow::header_whole(message) || message.payload_length % 4 != 0) {
    return std::nullopt;
  }
  const rpcrdma::RpcDecoded decoded = rpcrdma::decode(message.payload, message.payload_length, rpc);
  const bool known =
      decoded.header_length >= rpcrdma::rpc_through_procedure && rpc.call() &&
      rpc.rpcvers == rpcrdma::rpc_version &&
      (!rpcrdma::program_name(rpc.program).empty() || rpcrdma::nfs4_callback(rpc.program, rpc.version));
  return known && !decoded.stop ? std::optional(rpc.xid) : std::nullopt;
}

Outcome check_xid_in_option(const flow::Message& message, Report& report) {
  const std::optional<uint32_t> inner = called_by_option(message);
  if (!inner) {
    return Outcome::not_applicable;
  }
  if (*inner != message.header->xid) {
    report("rdma_xid {:#010x}, but the RPC Call behind RDMA2_OPTIONAL has XID {:#010x}", message.header->xid,
           *inner)
        .in(field::xid);
  }
  return Outcome::done;
}

Outcome check_inline_xid(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (h.is(rpcrdma::v2::Proc::optional)) {
    return check_xid_in_option(message, report);
  }
  if (!h.carries_payload()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  if (message.payload_length < 4) {
    return Outcome::not_applicable;
  }
  const std::optional<uint32_t> inner = payload_word(message, 0);
  if (!inner) {
    return Outcome::undecided;
  }
  if (*inner != h.xid) {
    report("rdma_xid {:#010x}, but the RPC message has XID {:#010x}", h.xid, *inner).in(field::xid);
  }
  return Outcome::done;
}

// What a NOMSG conveys, reassembled from its chunk.
Outcome judge_conveyed_xid(const flow::Exchange& exchange, bool call, Report& report) {
  const flow::KeptMessage& leg = call ? exchange.call_message : exchange.reply_message;
  const std::optional<Stamp>& at = call ? exchange.call : exchange.reply;
  if (!at || !leg.kept || !leg.header.is_nomsg()) {
    return Outcome::not_applicable;
  }
  if (const Outcome header = whole(leg.decoded); header != Outcome::done) {
    return header;
  }
  flow::PayloadStream stream;
  const bool built = call ? flow::call_payload(exchange, stream, flow::kFront)
                          : flow::reply_payload(exchange, stream, flow::kFront);
  if (!built || stream.front().size() < 4) {
    return Outcome::undecided;
  }
  const auto inner = wire::big_endian<uint32_t>(stream.bytes.data());
  const bool left = call || exchange.reply_message.header.chunks.has_position_zero();  // to be read
  if (inner != exchange.xid) {
    report("rdma_xid {:#010x}, but the RPC message in the {} has XID {:#010x}", exchange.xid,
           left ? "Position-Zero Read chunk" : "Reply chunk", inner)
        .in(field::xid)
        .at(*at)
        .blame(call ? Blame::requester : Blame::responder,
               call ? exchange.requester : rdma::other(exchange.requester));
  }
  return Outcome::done;
}

Outcome check_conveyed_xid(const flow::Exchange& exchange, Report& report) {
  const Outcome asked = judge_conveyed_xid(exchange, true, report);
  return of_both_legs(asked, judge_conveyed_xid(exchange, false, report));
}

}  // namespace

constinit const Rule xids_differ = {
    .id = "XID-01",
    .name = "xids-differ",
    .source = {"RFC 8166", "4.2.1"},
    .also = "rfc5666,rfc8167,rfc8267",
    .about = kinds::rpcs | (kinds::optionals & kinds::version_two),
    .message = check_inline_xid,
    .exchange = check_conveyed_xid,
    .plain_message = plain::kept,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
