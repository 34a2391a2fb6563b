// Messages that an RDMA_ERROR was due to, and what they got instead.

#include <algorithm>

#include "flow/payload.h"
#include "nfs/cursor.h"
#include "rpcrdma/header.h"
#include "rules/ending.h"
#include "rules/err/asides.h"
#include "rules/err/defects.h"
#include "rules/fared.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// Silence means something only where the connection went on for long.
bool left_alone(const flow::Exchange& exchange) {
  return !exchange.reply && exchange.call &&
         exchange.connection->last_frame.time_ns - exchange.call->time_ns >= kPatienceNs;
}

// Versions whose header can be read; others are rejected, or VER-04 says so.
bool judged_version(const flow::KeptMessage& call_message) {
  return call_message.header.version == 1 || call_message.header.version == 2;
}

// The RPC header of the Reply, from its Reply chunk where it is there; unset where it cannot be read.
std::optional<rpcrdma::RpcHeader> answered_rpc(const flow::Exchange& exchange) {
  const flow::KeptMessage& reply_message = exchange.reply_message;
  if (reply_message.has_rpc) {
    return reply_message.rpc;
  }
  flow::PayloadStream stream;
  rpcrdma::RpcHeader rpc;
  if (!reply_message.header.is_nomsg() || !flow::reply_payload(exchange, stream, flow::kFront) ||
      stream.decode_header(rpc).stop || rpc.xid != exchange.xid) {
    return std::nullopt;
  }
  return rpc;
}

// version-two-02 §5.2.4: BAD_XDR is sent before the upper layer sees the Call, which then has no results.
Outcome check_results_of_bad_xdr(const flow::Exchange& exchange, Report& report) {
  const std::optional<rpcrdma::v2::Error>& error = exchange.reply_message.header.error_v2;
  const bool bad_xdr = exchange.reply_message.kept && error && error->code == rpcrdma::v2::ErrorCode::bad_xdr;
  if (!bad_xdr || !exchange.call) {
    return Outcome::not_applicable;
  }
  if (exchange.shares_memory || exchange.resent != 0) {
    return Outcome::undecided;
  }
  if (results_written(exchange)) {
    report("RDMA2_ERR_BAD_XDR says that the Call was not executed, but results were written before it");
  }
  return Outcome::done;
}

Outcome check_defect_executed(const flow::Exchange& exchange, Report& report) {
  if (const Outcome outcome = check_results_of_bad_xdr(exchange, report);
      outcome != Outcome::not_applicable) {
    return outcome;
  }
  const flow::KeptMessage& call_message = exchange.call_message;
  const uint32_t least = report.rfc5666() ? rpcrdma::fixed_header_length : kLeastMessage;
  if (!call_message.kept || call_message.length < least ||
      !(judged_version(call_message) || report.rfc5666())) {
    return Outcome::not_applicable;
  }
  const bool v2 = call_message.header.version == 2;
  const bool unknown = !rpcrdma::procedure_exists(call_message.header.version, call_message.header.procedure);
  if ((v2 && unknown) || (call_message.header.is(rpcrdma::v1::Proc::msgp) && !report.rfc5666())) {
    return Outcome::not_applicable;
  }
  const std::string defect =
      !judged_version(call_message) ? fmt::format("rdma_vers is {}", call_message.header.version)
      : unknown ? fmt::format("rdma_proc {} does not exist", call_message.header.procedure)
                : plain_defect(call_message);
  if (defect.empty()) {
    return Outcome::not_applicable;
  }
  if (left_alone(exchange)) {
    // RFC 8166 §4.5 wants an answer as well, but deployed servers of version one used to drop such Calls.
    if (v2 || report.profile() != Profile::deployed) {
      report("No {} answers a Call in which {}", v2 ? "RDMA2_ERROR" : "RDMA_ERROR", defect)
          .at(*exchange.call);
    }
    return Outcome::done;
  }
  if (!judged_version(call_message)) {
    return Outcome::not_applicable;  // what answers it is VER-04's
  }
  if (!exchange.reply) {
    return exchange.connection->ended ? Outcome::done : Outcome::undecided;  // closing is an answer, too
  }
  const flow::KeptMessage& reply_message = exchange.reply_message;
  if (!reply_message.kept || reply_message.header.is_error()) {
    return reply_message.kept ? Outcome::done : Outcome::undecided;
  }
  const std::optional<rpcrdma::RpcHeader> rpc = answered_rpc(exchange);
  if (!rpc && (!v2 || reply_message.header.is_nomsg())) {
    return Outcome::undecided;
  }
  const bool success = rpc && rpc->succeeded();
  const bool garbage = rpc && rpc->accept_stat == rpcrdma::AcceptStat::garbage_args;
  if (success || (v2 && !garbage)) {
    report("{} a Call in which {}, expected {}",
           success ? "Reply shows that the Responder executed" : "Reply answers", defect,
           v2 ? "RDMA2_ERR_BAD_XDR" : "ERR_CHUNK");
  }
  return Outcome::done;
}

// RFC 8166 §4.6.1. By RFC 5666 it is a Call like others.
Outcome check_msgp_answer(const flow::Exchange& exchange, Report& report) {
  const flow::KeptMessage& call_message = exchange.call_message;
  if (report.rfc5666() || !call_message.kept || !call_message.header.is(rpcrdma::v1::Proc::msgp)) {
    return Outcome::not_applicable;
  }
  if (left_alone(exchange)) {
    report("No ERR_CHUNK answers RDMA_MSGP").at(*exchange.call);
    return Outcome::done;
  }
  if (!exchange.reply) {
    return exchange.connection->ended ? Outcome::done : Outcome::undecided;  // closing is an answer, too
  }
  const flow::KeptMessage& reply_message = exchange.reply_message;
  const rpcrdma::TransportHeader& h = reply_message.header;
  if (!reply_message.kept || (h.is_error() && !h.error_code())) {
    return Outcome::undecided;
  }
  const bool refused = h.error_v1 && h.error_v1->code == rpcrdma::v1::ErrorCode::chunk;
  if (!refused) {
    report("RDMA_MSGP is answered by {}, expected ERR_CHUNK",
           h.is_error() ? rpcrdma::error_name(h.version, *h.error_code())
                        : rpcrdma::procedure_name(h.version, h.procedure));
  }
  return Outcome::done;
}

// RFC 8166 §6.1: a chunk that is not DDP-eligible is rejected. Linux puts
// any chunk into the place that it names, and decodes the result.
bool ineligible(const ReadChunk& chunk, nfs::Eligible eligible) {
  return eligible == nfs::Eligible::none || chunk.carries == ReadChunk::Carries::no_item;
}

// RFC 5666 §3.4: a count and a chunk that disagree are an error of encoding.
bool disagrees(const ReadChunk& chunk) {
  return chunk.carries == ReadChunk::Carries::item && chunk.length != chunk.count &&
         chunk.length != nfs::padded(chunk.count);
}

Outcome check_unfit_chunk_executed(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || exchange.call_message.header.chunks.reads.empty()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const nfs::Eligible eligible = upper.arguments();
  const bool by_5666 = report.rfc5666() && exchange.version == 1;
  const auto& chunks = upper.read_chunks();
  const auto wrong = std::find_if(chunks.begin(), chunks.end(), [&](const ReadChunk& chunk) {
    return by_5666 ? disagrees(chunk) : ineligible(chunk, eligible);
  });
  if (wrong == chunks.end()) {
    return chunks.empty() ? Outcome::not_applicable : Outcome::done;
  }
  const Fared how = exchange.reply && !exchange.error ? fared(exchange) : Fared::failed;
  if (how == Fared::succeeded) {
    // In version two the header can be parsed, and no error of the transport is named for such a one.
    report("Reply reports success for a Call whose Read chunk at Position {} {}{}", wrong->position,
           by_5666 ? "is not as long as its argument" : "carries no DDP-eligible argument",
           exchange.version == 2 ? "" : ", expected ERR_CHUNK")
        .source(by_5666 ? Source{"RFC 5666", "3.4"} : unfit_chunk_executed.source)
        .severity(report.profile() == Profile::deployed ? Severity::warning : Severity::error)
        .at_most(upper.surest());
  }
  return how == Fared::unknown ? Outcome::undecided : Outcome::done;
}

Outcome check_unknown_procedure_answer(const flow::Exchange& exchange, Report& report) {
  const flow::KeptMessage& call_message = exchange.call_message;
  if (!call_message.kept || call_message.header.version != 2 ||
      rpcrdma::procedure_exists(2, call_message.header.procedure) ||
      call_message.length < rpcrdma::fixed_header_length) {
    return Outcome::not_applicable;
  }
  if (left_alone(exchange)) {
    report("No RDMA2_ERR_INVAL_PROC answers rdma_proc {}", call_message.header.procedure).at(*exchange.call);
    return Outcome::done;
  }
  if (!exchange.reply) {
    return exchange.connection->ended ? Outcome::done : Outcome::undecided;
  }
  const rpcrdma::TransportHeader& answer = exchange.reply_message.header;
  if (answer.is_error()) {
    using rpcrdma::v2::ErrorCode;
    if (!answer.error_v2) {
      return Outcome::undecided;
    }
    const ErrorCode code = answer.error_v2->code;
    if (code != ErrorCode::inval_proc && code != ErrorCode::vers) {
      report("rdma_proc {} is answered by {}, expected RDMA2_ERR_INVAL_PROC", call_message.header.procedure,
             rpcrdma::error_name(2, static_cast<uint32_t>(code)));
    }
    return Outcome::done;
  }
  report("rdma_proc {} is answered by a Reply, expected RDMA2_ERR_INVAL_PROC", call_message.header.procedure);
  return Outcome::done;
}

}  // namespace

constinit const Rule defect_executed = {
    .id = "ERR-03",
    .name = "broken-call-executed",
    .source = {"RFC 8166", "4.5.2"},
    .also = "rfc5666,version-two-02,xcharext-02",
    .needs = needs_both_ways | needs_no_loss | needs_end,
    .about = kinds::optionals,
    .message = check_invalid_value_taken,
    .exchange = check_defect_executed,
    .ending = check_broken_asides,
    .plain_exchange = plain::never,
};

constinit const Rule unknown_procedure_answer = {
    .id = "ERR-05",
    .name = "unknown-procedure-not-refused",
    .source = {"version-two-02", "5.2.4"},
    .needs = needs_both_ways | needs_no_loss | needs_end,
    .exchange = check_unknown_procedure_answer,
    .ending = check_unknown_asides,
    .plain_exchange = plain::never,
};

constinit const Rule msgp_answered = {
    .id = "ERR-11",
    .name = "msgp-not-refused",
    .severity = Severity::warning,
    .source = {"RFC 8166", "4.6.1"},
    .needs = needs_both_ways | needs_no_loss | needs_end,
    .exchange = check_msgp_answer,
    .plain_exchange = plain::never,
};

constinit const Rule unfit_chunk_executed = {
    .id = "ERR-12",
    .name = "unfit-chunk-executed",
    .source = {"RFC 8166", "6.1"},
    .also = "rfc5666",
    .needs = needs_both_ways | needs_no_loss,
    .exchange = check_unfit_chunk_executed,
    .plain_exchange = plain::asked_with(plain::reads),
};

}  // namespace steertag::rules
