// Whether a Call makes room for what it asks for: in the Write chunk of each
// eligible result, and for the Reply as a whole (RFC 8166 §3.4.6, §4.3.3). How
// large a result may be is in the arguments, or in the protocol. A client may
// know better, as from the size of a file (RFC 8267 §3): hence an error only
// where a result was in fact too long, or the Call was rejected.

#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Eligible;
using nfs::Wanted;

// The least of every Reply: RFC 8166 §4 with empty lists, RFC 5531 §9 with an empty verifier.
constexpr uint32_t kReplyHeader = 28, kReplyMessage = 24;

// RFC 5666 §3.4 and §3.6 say nothing of how large chunks are, and results may be left to be read.
bool by_rfc5666(const flow::Exchange& exchange, const Report& report) {
  return report.rfc5666() && exchange.version == 1;
}

// What became of a Call that advertises less room than the results may need.
enum class Came : uint8_t { nothing, refusal, overflow };

// Refused for the sake of its chunks; other errors have other reasons (RFC 8166 §4.5.3, version-two-02
// §5.2.4).
bool refused_for_chunks(const flow::Exchange& exchange) {
  if (!exchange.error) {
    return false;
  }
  return exchange.error_version == 2
             ? *exchange.error == static_cast<uint32_t>(rpcrdma::v2::ErrorCode::bad_xdr) ||
                   *exchange.error == static_cast<uint32_t>(rpcrdma::v2::ErrorCode::cant_reply)
             : *exchange.error == static_cast<uint32_t>(rpcrdma::v1::ErrorCode::chunk);
}

void weigh(Report::Entry entry, Came came) {
  entry.severity(came == Came::nothing ? Severity::warning : Severity::error)
      .at_most(came == Came::nothing   ? Certainty::possible
               : came == Came::refusal ? Certainty::likely
                                       : Certainty::definite);
}

uint64_t room_for(const flow::Exchange& exchange, size_t result) {
  const auto& writes = exchange.call_message.header.chunks.writes;
  return result < writes.size() ? writes[result].length() : 0;
}

Outcome check_short_write_chunk(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || exchange.call_message.header.chunks.writes.empty() || by_rfc5666(exchange, report)) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  if (upper.results() == Eligible::none) {
    return Outcome::not_applicable;
  }
  if (const std::optional<size_t> chunk = upper.short_write_chunk()) {
    const nfs::ReplyWalk* answer = exchange.reply ? upper.reply() : nullptr;
    const bool needed = answer != nullptr && answer->complete() && *chunk < answer->items.size() &&
                        answer->items[*chunk].count > room_for(exchange, *chunk);
    weigh(report("Write chunk {} has room for {} bytes, but result {} of {} may have {}", *chunk + 1,
                 room_for(exchange, *chunk), *chunk + 1, upper.name(), upper.call()->wanted[*chunk].most)
              .in(exchange.call_message.header.chunks.writes[*chunk].at)
              .of_call(exchange),
          needed                         ? Came::overflow
          : refused_for_chunks(exchange) ? Came::refusal
                                         : Came::nothing);
    return Outcome::done;
  }
  return upper.call() != nullptr && upper.call()->operations_walked() ? Outcome::done : Outcome::undecided;
}

// What may come inline, at least: results without a chunk, and those that are never in one.
uint64_t may_be_inline(const flow::Exchange& exchange, const nfs::CallWalk& walk) {
  uint64_t bytes = walk.most_listed;
  for (size_t i = 0; i < walk.wanted.size(); ++i) {
    const uint32_t most = walk.wanted[i].most;
    bytes += room_for(exchange, i) == 0 && most != Wanted::kUnbounded ? most : 0;
  }
  return bytes;
}

// The limit is known from the Reply: what its sender may send by then.
Outcome check_no_reply_chunk(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || !exchange.reply || !exchange.reply_message.kept || by_rfc5666(exchange, report)) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  if (!exchange.call_message.header.chunks.reply.empty()) {
    return Outcome::not_applicable;
  }
  UpperLayer& upper = report.upper_layer();
  const nfs::CallWalk* walk = upper.call();
  if (walk == nullptr || !walk->operations_walked()) {
    return Outcome::undecided;
  }
  const uint64_t results = may_be_inline(exchange, *walk);
  if (results == 0) {
    return Outcome::not_applicable;
  }
  const std::optional<uint32_t> limit = exchange.reply_message.send_limit;
  if (!limit) {
    return Outcome::undecided;
  }
  const uint64_t least = kReplyHeader + kReplyMessage + results;
  if (least > *limit) {
    weigh(report("{} asks for up to {} bytes of results but advertises neither a Write chunk nor a Reply "
                 "chunk: the Reply may have {} bytes, but only {} can be sent inline",
                 upper.name(), results, least, *limit)
              .of_call(exchange),
          exchange.reply_message.length > *limit ? Came::overflow
          : refused_for_chunks(exchange)         ? Came::refusal
                                                 : Came::nothing);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule short_write_chunk = {
    .id = "CHK-18",
    .name = "write-chunk-too-short",
    .source = {"RFC 8166", "3.4.6"},
    .exchange = check_short_write_chunk,
    .plain_exchange = plain::asked_with(plain::writes),
};

constinit const Rule no_reply_chunk = {
    .id = "CHK-19",
    .name = "no-room-for-the-reply",
    .source = {"RFC 8166", "4.3.3"},
    .needs = needs_setup | needs_both_ways | needs_no_loss,
    .exchange = check_no_reply_chunk,
};

}  // namespace steertag::rules
