// The Connection Configuration Protocol of RFC 5666: what it has settled binds, and it is to be protected
// itself. RFC 8166 took it out, so that all of this counts under profile `rfc5666` alone.
//
// Whether a maxrdmaread is of the Reads that its end serves ("IRD") or of those that it issues ("active RDMA
// Reads at server") can be read in §6.2 either way: what is reported here is forbidden both ways, or no more
// than possible.

#include "base/counted.h"
#include "rules/ending.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_configured_reads(const flow::Incident& incident, Report& report) {
  const rdma::Anomaly* a = incident.anomaly();
  const auto& owner = incident.configured;
  if (!report.rfc5666() || a == nullptr || a->kind != rdma::Anomaly::Kind::reads_outstanding || !owner ||
      !captured_before(owner->at, a->at)) {
    return Outcome::not_applicable;
  }
  if (!owner->reads || !owner->binds(a->at) || gap_since(*incident.connection, owner->at)) {
    return Outcome::undecided;
  }
  if (a->found > *owner->reads) {
    report("{} RDMA Reads outstanding, but the larger maxrdmaread of the two ends is {}", a->found,
           *owner->reads)
        .with(owner->at);
  }
  return Outcome::done;
}

// A single Read outstanding is no incident; where there may be none, the Reply is where it shows.
Outcome check_reads_of_none(const flow::Message& message, Report& report) {
  const auto& owner = message.standing->configured;
  const flow::Exchange* open = message.standing->open;
  if (!report.rfc5666() || !owner || !owner->reads || open == nullptr || !open->call ||
      !captured_before(owner->at, *open->call)) {
    return Outcome::not_applicable;
  }
  const bool reads_nothing = message.standing->ground->sizes.configured(message.from)->named == 0U;
  if (owner->reads != 0U && !reads_nothing) {
    return Outcome::not_applicable;
  }
  for (const flow::SegmentFlow& segment : open->segments) {
    if (segment.kind == flow::ChunkKind::read && segment.ops() != 0) {
      report("RDMA Read of the segment with handle {:#010x}, but the maxrdmaread of {} is 0",
             segment.target.handle, owner->reads == 0U ? "both ends" : "the end that reads")
          .with(owner->at)
          .severity(Severity::error)
          .at_most(owner->reads == 0U ? Certainty::definite : Certainty::possible);
      break;
    }
  }
  return Outcome::done;
}

// Memory of the Responder that a Reply has advertised (RFC 5666 §3.5). What was settled last is known in the
// end, and when that was.
Outcome check_reads_of_results(const Ending& ending, Report& report) {
  if (!report.rfc5666() || ending.history == nullptr) {
    return Outcome::not_applicable;
  }
  Outcome outcome = Outcome::not_applicable;
  for (const Ending::ReadResult& result : ending.results_read) {
    const auto& owner = ending.history->ground().sizes.configured(rdma::other(result.reader));
    if (!owner || owner->reads != 0u || !captured_before(owner->at, result.call)) {
      continue;
    }
    outcome = gap_since(*ending.connection, owner->at) ? Outcome::undecided : Outcome::done;
    if (outcome == Outcome::done) {
      report("RDMA Read of the segment with handle {:#010x}, but the maxrdmaread of both ends is 0",
             result.handle)
          .at(result.read)
          .with(owner->at)
          .of(result.xid)
          .blame(Blame::requester, result.reader)
          .severity(Severity::error);
      break;
    }
  }
  return outcome;
}

Outcome check_call_without_reads(const flow::Message& message, Report& report) {
  const auto& peer = message.standing->configured;
  const auto& reads = message.header->chunks.reads;
  if (!report.rfc5666() || !peer || reads.empty()) {
    return Outcome::not_applicable;
  }
  if (!peer->reads || !peer->binds(message.at) || gap_since(*message.connection, peer->at)) {
    return Outcome::undecided;
  }
  if (*peer->reads == 0) {
    report("Call with {} to be read, but the maxrdmaread of both ends is 0",
           base::counted(reads.size(), "segment"))
        .in(reads[0].at)
        .with(peer->at);
  } else if (peer->named == 0U) {
    report("Call with {} to be read, but the maxrdmaread of the Responder is 0",
           base::counted(reads.size(), "segment"))
        .in(reads[0].at)
        .with(peer->at)
        .at_most(Certainty::possible);
  }
  return Outcome::done;
}

Outcome check_open_configuration(const flow::Message& message, Report& report) {
  if (!report.rfc5666() || !message.conf_rdma) {
    return Outcome::not_applicable;
  }
  if (message.rpc_decoded.header_length < kThroughCredentialFlavor) {
    return header_cut(message) || message.rpc_decoded.stop->limit == wire::Limit::capture
               ? Outcome::undecided
               : Outcome::not_applicable;
  }
  if (message.rpc->credential.flavor == rpcrdma::Flavor::none) {
    report("CONF_RDMA with credential AUTH_NONE; it must be protected by a security flavor");
  }
  return Outcome::done;
}

// Bytes of either structure. What RPCSEC_GSS wraps is longer, and not looked into here.
constexpr uint32_t kConfiguration = 12;

Outcome check_configuration_length(const flow::Message& message, Report& report) {
  if (!report.rfc5666() || !message.conf_rdma || message.rpc_decoded.stop) {
    return Outcome::not_applicable;
  }
  const rpcrdma::RpcHeader& rpc = *message.rpc;
  const rpcrdma::Flavor flavor = rpc.call() ? rpc.credential.flavor : rpc.verifier.flavor;
  if (flavor == rpcrdma::Flavor::gss || (!rpc.call() && !rpc.succeeded())) {
    return Outcome::not_applicable;
  }
  const uint32_t length = message.payload_length - message.rpc_decoded.header_length;
  if (length != kConfiguration) {
    report("{} of CONF_RDMA have {} bytes, expected three words", rpc.call() ? "Arguments" : "Results",
           length);
  }
  return Outcome::done;
}

// Version 1 of the program has no other procedure; number 0 is left to the convention of RFC 5531 §12.1.
Outcome check_only_procedure(const flow::Exchange& exchange, Report& report) {
  const auto& called = exchange.procedure;
  if (!report.rfc5666() || exchange.version != 1 || exchange.status != flow::Status::complete || !called ||
      called->program != rpcrdma::program_rdmaconfig || called->version != rpcrdma::config::version ||
      called->procedure <= rpcrdma::config::conf_rdma) {
    return Outcome::not_applicable;
  }
  if (!exchange.answer || exchange.resent != 0) {
    return Outcome::undecided;
  }
  if (exchange.answer->succeeded()) {
    report(
        "Reply reports success for procedure {} of the Connection Configuration Protocol, which has only {}",
        called->procedure, rpcrdma::config::conf_rdma)
        .at_most(report.upper_layer().surest());
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule configured_reads = {
    .id = "CMP-02",
    .name = "more-reads-than-configured",
    .severity = Severity::warning,
    .source = {"RFC 5666", "6.2"},
    .needs = needs_no_loss,
    .about = kinds::replies & kinds::version_one,
    .message = check_reads_of_none,
    .incident = check_configured_reads,
    .ending = check_reads_of_results,
    .plain_message = plain::never,
};

constinit const Rule call_without_reads = {
    .id = "CMP-03",
    .name = "call-that-cannot-be-read",
    .source = {"RFC 5666", "6.2"},
    .about = kinds::calls & kinds::version_one,
    .message = check_call_without_reads,
    .plain_message = plain::never,
};

constinit const Rule open_configuration = {
    .id = "CMP-04",
    .name = "unprotected-configuration",
    .source = {"RFC 5666", "11"},
    .about = kinds::calls,
    .message = check_open_configuration,
    .plain_message = plain::never,
};

constinit const Rule misshapen_configuration = {
    .id = "CMP-05",
    .name = "misshapen-configuration",
    .source = {"RFC 5666", "6.2"},
    .about = (kinds::calls | kinds::replies) & kinds::version_one,
    .message = check_configuration_length,
    .exchange = check_only_procedure,
    .plain_message = plain::never,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
