// Direct data placement and RPCSEC_GSS.

#include <algorithm>

#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {

namespace {

// Bytes of a Call up to and with the flavor of its credential (RFC 5531 §9).
constexpr uint32_t kThroughFlavor = 28;

// RFC 8166 §8.2.2.3: wrapped arguments and results have to stay in one piece.
// Long Messages (Position-Zero Read chunk, Reply chunk) do that.
Outcome check_reduced_under_gss(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.asked); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const flow::Leg& asked = exchange.asked;
  if (!asked.has_rpc && !asked.header.is_nomsg()) {
    return asked.payload_whole ? Outcome::not_applicable : Outcome::undecided;
  }
  if (asked.has_rpc && asked.rpc_decoded.header_length >= kThroughFlavor &&
      asked.rpc.credential.flavor != rpcrdma::Flavor::gss) {
    return Outcome::not_applicable;
  }
  const rpcrdma::RpcHeader* call = upper.header();
  if (call == nullptr) {
    return Outcome::undecided;
  }
  if (call->credential.flavor != rpcrdma::Flavor::gss) {
    return Outcome::not_applicable;
  }
  if (!rpcrdma::gss_credential(call->credential)) {
    return Outcome::undecided;
  }
  if (!rpcrdma::wrapped(call->credential)) {
    return Outcome::not_applicable;
  }
  const std::string_view service =
      rpcrdma::gss_credential(call->credential)->service == rpcrdma::GssService::privacy ? "privacy"
                                                                                         : "integrity";
  const std::string name = rpcrdma::name(call->program, call->version, call->procedure);
  for (const ReadChunk& chunk : upper.read_chunks()) {
    report("{} under RPCSEC_GSS {} has a Read chunk at Position {}", name, service, chunk.position)
        .in(chunk.at)
        .of_call(exchange);
    break;
  }
  if (exchange.reply && !exchange.error && legible(exchange.answered) == Outcome::done) {
    const auto returned = upper.returned();
    const auto used =
        std::find_if(returned.begin(), returned.end(), [](uint64_t bytes) { return bytes != 0; });
    if (used != returned.end()) {
      const auto chunk = static_cast<size_t>(used - returned.begin());
      report("Reply to {} under RPCSEC_GSS {} returns {} bytes in Write chunk {}", name, service, *used,
             chunk + 1)
          .in(exchange.answered.header.chunks.writes[chunk].at)
          .at_most(upper.surest());
    }
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule reduced_under_gss = {
    .id = "DDP-05",
    .name = "reduced-under-gss",
    .severity = Severity::error,
    .source = {"RFC 8166", "8.2.2.3"},
    .requirement =
        "Under RPCSEC_GSS integrity or privacy no argument or result travels in a chunk of its own",
    .why =
        "The checksum or the encryption covers the message as one piece; the receiver cannot verify or "
        "decrypt what is missing a part",
    .exchange = check_reduced_under_gss,
};

}  // namespace steertag::rules
