// How long a Send may be, and whether it had to be.

#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using rpcrdma::xchar::Id;

constexpr uint32_t kReadSegment = 24;  // bytes of a Read segment in the header
constexpr uint32_t kTolerated = 2;     // Sends that were too long and did no harm

// Both ends may have agreed on more by means that are not on the wire; where
// long Sends keep arriving without error, that is what has happened.
Severity inl_severity(const flow::Message& message) {
  return message.standing->oversized_before >= kTolerated ? Severity::warning : Severity::error;
}

// Bytes that this Send may have. By RFC 5666 that is what CONF_RDMA has settled, be it less than before, or
// else an RPC message of 1024 (§6.1, §6.2); the transport header comes on top. What RFC 8797 announces counts
// there, too: its receiver has the buffers.
std::optional<uint64_t> limit_of(const flow::Message& message, const Report& report) {
  const flow::Standing& standing = *message.standing;
  const std::optional<uint64_t> limit = standing.send_limit;
  if (!report.rfc5666() || spoken_version(message) != 1) {
    return limit;
  }
  const bool announced = limit && *standing.inline_threshold > rpcrdma::default_inline_threshold;
  const auto& configured = standing.configured;
  if (!configured && (!limit || announced)) {
    return limit;
  }
  if (message.decoded.stop || standing.may_be_configured ||
      (configured && !(configured->takes && configured->binds(message.at)))) {
    return std::nullopt;
  }
  const uint64_t bytes = uint64_t{configured ? *configured->takes : rpcrdma::default_inline_threshold} +
                         message.decoded.header_length;
  return announced ? std::max<uint64_t>(bytes, *standing.inline_threshold) : bytes;
}

Outcome check_send_above_threshold(const flow::Message& message, Report& report) {
  const bool settled = message.standing->agreed || message.direction == flow::Direction::reply;
  const uint32_t spoken = spoken_version(message);
  if (spoken == 2 && !settled) {
    return Outcome::not_applicable;  // what comes before the agreement has a rule of its own
  }
  const std::optional<uint64_t> limit = limit_of(message, report);
  if (!limit) {
    if (spoken == 1 && !message.standing->configured &&
        !(report.rfc5666() && message.standing->may_be_configured) &&
        message.length > rpcrdma::largest_inline_threshold) {
      report("Send of {} bytes; no private data can announce a buffer above {}", message.length,
             rpcrdma::largest_inline_threshold);
      return Outcome::done;
    }
    return Outcome::undecided;
  }
  if (message.length > *limit) {
    const auto& configured = message.standing->configured;
    const bool nothing = !configured && message.standing->send_limit == rpcrdma::default_inline_threshold;
    auto entry =
        report("Send of {} bytes, but the receiver accepts {}{}", message.length, *limit,
               configured                                               ? ", as agreed by CONF_RDMA"
               : nothing && *limit == rpcrdma::default_inline_threshold ? ": it has announced no more"
               : nothing ? fmt::format(" with this header, as no more than {} bytes of RPC were announced",
                                       rpcrdma::default_inline_threshold)
                         : "");
    entry.severity(inl_severity(message));
    if (configured) {
      entry.with(configured->at);
    }
    // A CONF_RDMA that was not captured may have allowed it; or, in version two, a characteristic.
    if (spoken == 2) {
      entry.unless_lost();
    } else if (report.rfc5666()) {
      entry.unless_lost();
      if (*limit != message.standing->send_limit) {
        entry.source({"RFC 5666", configured ? "6.2" : "6.1"});
      }
    } else if (configured && gap_since(*message.connection, configured->at)) {
      entry.at_most(Certainty::possible);
    }
  }
  return Outcome::done;
}

Outcome check_inline_despite_reply_chunk(const flow::Message& message, Report& report) {
  if (!message.header->is_msg()) {
    return Outcome::not_applicable;
  }
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || !open->call_message.kept || open->call_message.header.chunks.reply.empty()) {
    return Outcome::not_applicable;
  }
  const std::optional<uint64_t> limit = limit_of(message, report);
  if (!limit) {
    return Outcome::undecided;
  }
  const uint64_t room = open->call_message.header.chunks.reply_length();
  if (message.length > *limit && message.payload_length <= room) {
    report("Inline Reply of {} bytes, but the Requester accepts {}; its Reply chunk of {} bytes is unused",
           message.length, *limit, room)
        .with(*open->call)
        .severity(inl_severity(message));
  }
  return Outcome::done;
}

// What a message would be as one Send: the segments of its Read list away, their content inline.
uint64_t inline_form(const flow::Message& message) {
  uint64_t bytes = message.length;
  for (const rpcrdma::ReadSegment& segment : message.header->chunks.reads) {
    bytes += segment.target.length;
    bytes -= kReadSegment;
  }
  return bytes;
}

uint64_t inline_reply(const flow::Message& reply) {
  return reply.length + reply.header->chunks.reply_length();
}

// RFC 8166 §3.5.3 leaves the choice to the sender. Linux puts every Reply into
// the advertised Reply chunk, so that is reported only under `strict`. That
// a Reply is left to be read (RFC 5666 §3.5) costs an RDMA_DONE as well (§3.1, §4).
Outcome check_needless_chunk(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool call = message.direction == flow::Direction::call && !h.chunks.reads.empty();
  const bool answer = message.direction == flow::Direction::reply;
  const bool read = answer && !h.chunks.reads.empty() && h.version == 1 && report.rfc5666();
  const bool reply = answer && h.is_nomsg() && report.strict();
  if (!call && !read && !reply) {
    return Outcome::not_applicable;
  }
  const std::optional<uint64_t> limit = limit_of(message, report);
  if (!limit || message.decoded.stop) {
    return Outcome::undecided;
  }
  const uint64_t bytes = call || read ? inline_form(message) : inline_reply(message);
  if (bytes <= *limit) {
    const std::string_view rpc = call ? "Call" : "Reply";
    report("{}{}{} would be {} bytes as one inline Send; the receiver accepts {}",
           h.is_nomsg() ? "NOMSG " : "", rpc, h.is_nomsg() ? "" : " with Read chunks", bytes, *limit);
  }
  return Outcome::done;
}

Outcome check_send_above_rbsiz(const flow::Message& message, Report& report) {
  const history::Terms& receiver = terms_of_receiver(message);
  const history::Reported* reported = receiver.find(Id::rbsiz);
  if (reported == nullptr || !reported->number) {
    return Outcome::not_applicable;
  }
  // Less than every receiver has to take counts only where this sender asked for it.
  uint32_t limit = receiver.relied_on(*reported);
  if (!reported->solicited) {
    limit = std::max(limit, rpcrdma::least_buffer_of_version_two);
  }
  const std::optional<uint32_t> by_setup = message.standing->inline_threshold;
  if (message.length <= std::max(limit, by_setup.value_or(rpcrdma::largest_inline_threshold))) {
    return message.length <= std::max(limit, by_setup.value_or(0)) ? Outcome::done : Outcome::undecided;
  }
  report("Send of {} bytes, but the receiver's XCHAR_RBSIZ is {}", message.length, *reported->number)
      .with(reported->at)
      .severity(inl_severity(message));
  return Outcome::done;
}

}  // namespace

constinit const Rule send_above_threshold = {
    .id = "INL-01",
    .name = "send-above-inline-threshold",
    .source = {"RFC 8166", "3.3.2"},
    .also = "rfc5666,rfc8797,version-two-02,xcharext-02",
    .message = check_send_above_threshold,
};

constinit const Rule inline_despite_reply_chunk = {
    .id = "INL-02",
    .name = "long-reply-sent-inline",
    .source = {"RFC 8166", "3.5.3"},
    .needs = needs_setup | needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = check_inline_despite_reply_chunk,
    .plain_message = plain::asked_with(plain::reply_chunk),
};

constinit const Rule needless_chunk = {
    .id = "INL-03",
    .name = "needless-chunk",
    .severity = Severity::note,
    .source = {"RFC 8166", "3.5.1"},
    .needs = needs_setup | needs_both_ways,
    .about = kinds::calls | kinds::replies,
    .habit = true,
    .message = check_needless_chunk,
    .plain_message = plain::asked_with(plain::reads),
};

constinit const Rule send_above_rbsiz = {
    .id = "INL-04",
    .name = "send-above-conveyed-buffer-size",
    .source = {"xcharext-02", "3.1"},
    .needs = needs_no_loss,
    .about = kinds::version_two,
    .message = check_send_above_rbsiz,
};

}  // namespace steertag::rules
