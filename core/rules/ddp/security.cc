// Direct data placement and RPCSEC_GSS.

#include "flow/payload.h"
#include "nfs/cursor.h"
#include "rpcrdma/programs.h"
#include "rules/reading.h"
#include "rules/report.h"
#include "wire/reader.h"

namespace steertag::rules {
namespace {

// What RPCSEC_GSS has made of arguments or results: one counted item behind the RPC header (RFC 2203 §5.3.2).
struct Body {
  uint64_t position = 0;          // of its bytes, behind the count
  std::optional<uint32_t> count;  // unset: not captured
};

// Unset where the RPC header cannot be read, or has no body behind it.
std::optional<Body> body_of(const flow::Exchange& exchange, bool of_call) {
  const flow::KeptMessage& leg = of_call ? exchange.call_message : exchange.reply_message;
  flow::PayloadStream stream;
  rpcrdma::RpcHeader rpc = leg.rpc;
  rpcrdma::RpcDecoded decoded = leg.rpc_decoded;
  Bytes front = of_call ? exchange.call_inline : exchange.reply_inline;
  if (leg.header.is_nomsg()) {
    if (!(of_call ? flow::call_payload(exchange, stream, flow::kFront)
                  : flow::reply_payload(exchange, stream, flow::kFront))) {
      return std::nullopt;
    }
    decoded = stream.decode_header(rpc);
    front = stream.front();
  } else if (!leg.has_rpc) {
    return std::nullopt;
  }
  if (decoded.stop || (!of_call && !rpc.succeeded())) {
    return std::nullopt;
  }
  const Bytes count = slice(front, decoded.header_length, 4);
  return Body{uint64_t{decoded.header_length} + 4,
              count.size() == 4 ? std::optional(wire::big_endian<uint32_t>(count.data())) : std::nullopt};
}

// RFC 5666 §11 has the body as one chunk, which may be large enough to be moved by RDMA. `undecided`: it may
// be this one.
Outcome is_body(const std::optional<Body>& body, std::optional<uint64_t> position, uint64_t length) {
  if (!body) {
    return Outcome::undecided;
  }
  if (position && *position != body->position) {
    return Outcome::not_applicable;
  }
  if (!body->count) {
    return Outcome::undecided;
  }
  return length == *body->count || length == nfs::padded(*body->count) ? Outcome::done
                                                                       : Outcome::not_applicable;
}

// How a Call asks for its arguments and results to be wrapped.
struct Protection {
  const rpcrdma::RpcHeader* call = nullptr;
  rpcrdma::GssService service{};

  // "NFSv3 WRITE under RPCSEC_GSS privacy".
  std::string text() const {
    return fmt::format("{} under RPCSEC_GSS {}", rpcrdma::name(call->program, call->version, call->procedure),
                       service == rpcrdma::GssService::privacy ? "privacy" : "integrity");
  }
};

// `done`: they are wrapped.
Outcome find_protection(const flow::Exchange& exchange, UpperLayer& upper, Protection& found) {
  if (!exchange.call) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  const flow::KeptMessage& call_message = exchange.call_message;
  if (!call_message.has_rpc && !call_message.header.is_nomsg()) {
    return call_message.payload_whole ? Outcome::not_applicable : Outcome::undecided;
  }
  if (call_message.has_rpc && call_message.rpc_decoded.header_length >= kThroughCredentialFlavor &&
      call_message.rpc.credential.flavor != rpcrdma::Flavor::gss) {
    return Outcome::not_applicable;
  }
  const rpcrdma::RpcHeader* call = upper.header();
  if (call == nullptr) {
    return Outcome::undecided;
  }
  if (call->credential.flavor != rpcrdma::Flavor::gss) {
    return Outcome::not_applicable;
  }
  const auto credential = rpcrdma::gss_credential(call->credential);
  if (!credential || !rpcrdma::wrapped(call->credential)) {
    return credential ? Outcome::not_applicable : Outcome::undecided;
  }
  found = {call, credential->service};
  return Outcome::done;
}

// The Read chunks of either message, under RFC 5666.
Outcome judge_read_body(const flow::Exchange& exchange, bool of_call, const Protection& what,
                        Report& report) {
  UpperLayer& upper = report.upper_layer();
  const auto& chunks = of_call ? upper.read_chunks() : upper.result_chunks();
  const std::optional<Body> body = chunks.empty() ? std::nullopt : body_of(exchange, of_call);
  for (const ReadChunk& chunk : chunks) {
    if (chunk.position % 4 != 0) {
      continue;  // roundup, or another rule's
    }
    const Outcome whole = is_body(body, chunk.position, chunk.length);
    if (whole == Outcome::undecided) {
      return whole;
    }
    if (whole == Outcome::not_applicable) {
      auto entry = report("{}{} has a Read chunk at Position {} that is not its whole body",
                          of_call ? "" : "Reply to ", what.text(), chunk.position);
      entry.in(chunk.at);
      of_call ? entry.of_call(exchange) : entry.at_most(upper.surest());
      break;
    }
  }
  return Outcome::done;
}

// The first Write chunk that the Reply makes use of.
Outcome judge_written(const flow::Exchange& exchange, bool former, const Protection& what, Report& report) {
  UpperLayer& upper = report.upper_layer();
  const std::optional<size_t> used = upper.first_used();
  if (!used) {
    return Outcome::done;
  }
  const uint64_t bytes = upper.returned()[*used];
  const Outcome body =
      former ? is_body(body_of(exchange, false), std::nullopt, bytes) : Outcome::not_applicable;
  if (body != Outcome::not_applicable) {
    return body;
  }
  report("Reply to {} returns {} bytes in Write chunk {}", what.text(), bytes, *used + 1)
      .in(exchange.reply_message.header.chunks.writes[*used].at)
      .at_most(upper.surest());
  return Outcome::done;
}

// RFC 8166 §8.2.2.3: wrapped arguments and results have to stay in one piece.
// Long Messages (Position-Zero Read chunk, Reply chunk) do that.
Outcome check_reduced_under_gss(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  Protection what;
  if (const Outcome outcome = find_protection(exchange, upper, what); outcome != Outcome::done) {
    return outcome;
  }
  const bool former = report.rfc5666() && exchange.version == 1;
  Outcome asked = Outcome::done, read = Outcome::done, written = Outcome::done;
  if (former) {
    asked = judge_read_body(exchange, true, what, report);
  } else if (!upper.read_chunks().empty()) {
    const ReadChunk& chunk = upper.read_chunks()[0];
    report("{} has a Read chunk at Position {}", what.text(), chunk.position).in(chunk.at).of_call(exchange);
  }
  if (exchange.reply && !exchange.error && legible(exchange.reply_message) == Outcome::done) {
    read = former ? judge_read_body(exchange, false, what, report) : Outcome::done;
    written = judge_written(exchange, former, what, report);
  }
  const bool open =
      asked == Outcome::undecided || read == Outcome::undecided || written == Outcome::undecided;
  return open ? Outcome::undecided : Outcome::done;
}

}  // namespace

constinit const Rule reduced_under_gss = {
    .id = "DDP-05",
    .name = "reduced-under-gss",
    .source = {"RFC 8166", "8.2.2.3"},
    .also = "rfc5666",
    .exchange = check_reduced_under_gss,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
