// What follows the transport header: an RPC message where there has to be
// one, nothing where there must not.

#include "base/counted.h"
#include "nfs/cursor.h"
#include "rules/read_results.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

namespace v1 = rpcrdma::v1;

// RFC 5531 §9: a Call with empty credential and verifier; a Reply that is denied.
constexpr uint32_t kLeastCall = 40, kLeastReply = 20;
constexpr uint32_t kRpcVersion = 2;

// Whether the message has a payload that can be found.
Outcome payload_found(const flow::Message& message) {
  return message.header->carries_payload() ? whole(message.decoded) : Outcome::not_applicable;
}

Outcome check_empty_msg(const flow::Message& message, Report& report) {
  if (const Outcome outcome = payload_found(message); outcome != Outcome::done) {
    return outcome;
  }
  if (message.payload_length == 0) {
    const rpcrdma::TransportHeader& h = *message.header;
    report("{} ends with its header of {} bytes; an RPC message must follow",
           rpcrdma::procedure_name(h.version, h.procedure), message.decoded.header_length);
  }
  return Outcome::done;
}

// Least length and RPC version of a payload whose mtype is known.
Outcome judge_rpc(const flow::Message& message, bool call, Report& report) {
  const uint32_t front = message.decoded.header_length, length = message.payload_length;
  const std::optional<uint32_t> third = payload_word(message, 2);
  const uint32_t least = call ? kLeastCall : kLeastReply;
  if (call && third && *third != kRpcVersion) {
    report("RPC Call with rpcvers {}; it must be {}", *third, kRpcVersion).in({front + 8, 4});
  } else if (length < least) {
    report("RPC {} of {} bytes; the smallest has {}", call ? "Call" : "Reply", length, least)
        .in({front, length});
  } else if (length % 4 != 0 && !message.header->is(v1::Proc::msgp)) {
    report("RPC message of {} bytes; XDR lengths are multiples of 4", length).in({front, length});
  } else if (call && !third) {
    return Outcome::undecided;
  }
  return Outcome::done;
}

Outcome check_not_rpc(const flow::Message& message, Report& report) {
  if (const Outcome outcome = payload_found(message); outcome != Outcome::done) {
    return outcome;
  }
  if (message.payload_length == 0) {
    return Outcome::not_applicable;
  }
  const uint32_t front = message.decoded.header_length, length = message.payload_length;
  const std::optional<uint32_t> mtype = payload_word(message, 1);
  if (mtype && *mtype > 1) {
    report("RPC mtype {}; it must be 0 (CALL) or 1 (REPLY)", *mtype).in({front + 4, 4});
    return Outcome::done;
  }
  if (mtype) {
    return judge_rpc(message, *mtype == 0, report);
  }
  if (length < kLeastReply) {
    report("Payload of {} bytes; the smallest RPC message has {}", length, kLeastReply).in({front, length});
    return Outcome::done;
  }
  return Outcome::undecided;
}

// What is inline of a Call besides its Read chunks is the rest of it.
Outcome judge_reduced_call(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || !exchange.call_message.header.is_msg() ||
      exchange.call_message.header.chunks.reads.empty()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  if (upper.read_chunks().empty() || exchange.call_inline_length % 4 != 0) {
    return Outcome::not_applicable;
  }
  for (const ReadChunk& chunk : upper.read_chunks()) {
    if (chunk.carries != ReadChunk::Carries::item || nfs::padded(chunk.length) != nfs::padded(chunk.count)) {
      return Outcome::not_applicable;  // what is behind it is shifted
    }
  }
  const nfs::CallWalk* walk = upper.call();
  if (walk->reason == nfs::Reason::trailing) {
    report("{} are left inline after {}, whose data is in a Read chunk", base::counted(walk->left, "byte"),
           upper.name())
        .of_call(exchange);
  } else if (walk->reason == nfs::Reason::past_end) {
    report("{} ends prematurely, after what is in its Read chunk", upper.name()).of_call(exchange);
  } else if (!walk->complete()) {
    return Outcome::undecided;
  }
  return Outcome::done;
}

// And what is inline of a Reply besides its Write chunks.
Outcome judge_reduced_reply(Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (const Outcome outcome = upper.comparable_writes(); outcome != Outcome::done) {
    return outcome;
  }
  const nfs::Eligible eligible = upper.results();
  if (eligible != nfs::Eligible::some) {
    return eligible == nfs::Eligible::none ? Outcome::not_applicable : Outcome::undecided;
  }
  const nfs::ReplyWalk* walk = upper.reply();
  if (const Misfit::Kind misfit = upper.misfit().kind; misfit != Misfit::Kind::none) {
    if (misfit != Misfit::Kind::rest) {
      return Outcome::not_applicable;
    }
    const std::string what =
        walk->reason == nfs::Reason::trailing
            ? fmt::format("the last {} are not part of them", base::counted(walk->left, "byte"))
        : walk->reason == nfs::Reason::past_end ? std::string("it ends before they do")
                                                : std::string("what is inline is not the rest of them");
    report("Reply of {} bytes does not match the results of {}: {}", upper.reply_length(), upper.name(), what)
        .at_most(upper.surest());
    return Outcome::done;
  }
  if (walk == nullptr || !walk->complete()) {
    return Outcome::undecided;
  }
  for (const nfs::Item& item : walk->items) {
    // RFC 8166 §3.4.4.4. Where the whole message is of odd length, that is already reported.
    if (item.pad_inline && upper.reply_length() % 4 == 0 && !report.rfc5666()) {
      report("Reply leaves {} of XDR roundup inline, of the result in Write chunk {}",
             base::counted(nfs::padded(item.count) - item.count, "byte"), item.chunk + 1)
          .at_most(upper.surest());
      break;
    }
  }
  return Outcome::done;
}

// And what is inline of a Reply besides its Read chunks (RFC 5666 §3.4), or in its Position-Zero one.
Outcome judge_read_reply(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (!report.rfc5666() || !leaves_results(exchange, upper) || misplaced_result(upper)) {
    return Outcome::not_applicable;
  }
  for (const ReadChunk& chunk : upper.result_chunks()) {
    if (chunk.carries == ReadChunk::Carries::item && nfs::padded(chunk.length) != nfs::padded(chunk.count)) {
      return Outcome::not_applicable;  // what is behind it is shifted
    }
  }
  const nfs::ReplyWalk* walk = upper.reply();
  const bool more = walk != nullptr && walk->reason == nfs::Reason::trailing;
  if (more || (walk != nullptr && walk->reason == nfs::Reason::past_end)) {
    report("Reply, reassembled from its Read chunks, does not match the results of {}: {}", upper.name(),
           more ? fmt::format("the last {} are not part of them", base::counted(walk->left, "byte"))
                : "it ends before they do")
        .at_most(upper.surest());
    return Outcome::done;
  }
  return walk != nullptr && walk->complete() ? Outcome::done : Outcome::undecided;
}

Outcome check_reduced(const flow::Exchange& exchange, Report& report) {
  const Outcome call = judge_reduced_call(exchange, report);
  const Outcome read = judge_read_reply(exchange, report);
  const Outcome reply = read == Outcome::not_applicable ? judge_reduced_reply(report) : read;
  return of_both_legs(call, reply);
}

// Messages whose header nothing may follow. What an unknown extension or
// version has there is its own affair.
bool ends_with_header(const rpcrdma::TransportHeader& h) {
  if (h.version > 2 && h.error_code() != static_cast<uint32_t>(v1::ErrorCode::vers)) {
    return false;
  }
  const bool characteristics = !h.optional.empty() && !text(h.optional[0].opttype).empty();
  return h.is_nomsg() || h.is(v1::Proc::done) || h.is_error() || characteristics;
}

Outcome check_unexpected_payload(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!ends_with_header(h) || header_runs_off(message)) {
    return Outcome::not_applicable;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  if (message.payload_length != 0) {
    report("{} after the header of {}; nothing may follow it", base::counted(message.payload_length, "byte"),
           rpcrdma::procedure_name(h.version, h.procedure))
        .in({message.decoded.header_length, message.payload_length});
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule empty_msg = {
    .id = "PAY-01",
    .name = "msg-without-payload",
    .source = {"RFC 8166", "4.2.4"},
    .also = "rfc5666,version-two-02",
    .about = kinds::rpcs,
    .message = check_empty_msg,
    .plain_message = plain::kept,
};

constinit const Rule payload_not_rpc = {
    .id = "PAY-02",
    .name = "payload-is-no-rpc-message",
    .source = {"RFC 5531", "9"},
    .also = "rfc8166,rfc8167",
    .about = kinds::rpcs,
    .message = check_not_rpc,
    .exchange = check_reduced,
    .plain_message = plain::kept,
    .plain_exchange = plain::asked_with(plain::reads | plain::writes),
};

constinit const Rule unexpected_payload = {
    .id = "PAY-03",
    .name = "payload-where-none-belongs",
    .source = {"RFC 8166", "4.2.4"},
    .also = "rfc5666,version-two-02,xcharext-02",
    .message = check_unexpected_payload,
    .plain_message = plain::never,
};

}  // namespace steertag::rules
