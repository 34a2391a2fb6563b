// Long Messages: what a Position-Zero Read chunk or a Reply chunk holds.

#include "nfs/cursor.h"
#include "rules/answers.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Reason;

std::string_view place_in(const nfs::Walk& walk) {
  return walk.name.empty() ? std::string_view("an item") : walk.name;
}

// The walk rests on captured words alone, so where it ends a message the message ends.
Outcome judge_long_message(const nfs::Walk* walk, std::string_view chunk, uint64_t length,
                           const flow::Exchange& exchange, bool call, Report& report) {
  if (walk == nullptr) {
    return Outcome::undecided;
  }
  std::string text;
  Severity severity = Severity::error;
  if (walk->reason == Reason::past_end) {
    text = fmt::format("{} holds {} bytes, but the message in it is longer: it ends inside {}", chunk, length,
                       place_in(*walk));
  } else if (walk->reason == Reason::trailing) {
    const bool zero = walk->left % 4 == 0 && walk->left_zero.value_or(true);
    text = fmt::format("{} holds {} bytes, the last {} are not part of the message{}", chunk, length,
                       walk->left, zero && walk->left_zero ? ", but zero" : "");
    severity = zero ? Severity::warning : Severity::error;
  } else {
    return walk->complete() ? Outcome::done : Outcome::undecided;
  }
  auto entry = report("{}", text);
  entry.severity(severity).at_most(report.upper_layer().surest());
  if (call) {
    entry.of_call(exchange);
  }
  return Outcome::done;
}

// Other Read chunks of the Call that are not what they should be shift what is behind them.
Outcome judge_long_call(const flow::Exchange& exchange, Report& report) {
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const uint64_t length = exchange.call_message.header.chunks.position_zero_length();
  if (length == 0) {
    return Outcome::not_applicable;
  }
  for (const ReadChunk& chunk : upper.read_chunks()) {
    if (chunk.carries != ReadChunk::Carries::item || nfs::padded(chunk.length) != nfs::padded(chunk.count)) {
      return Outcome::undecided;
    }
  }
  return judge_long_message(upper.call(), "Position-Zero Read chunk", length, exchange, true, report);
}

Outcome judge_long_reply(const flow::Exchange& exchange, Report& report) {
  if (const Outcome outcome = legible(exchange.reply_message); outcome != Outcome::done) {
    return outcome;
  }
  const rpcrdma::ChunkLists& chunks = exchange.reply_message.header.chunks;
  const bool read = chunks.has_position_zero();  // RFC 5666 §5.1: the Requester pulls it
  const uint64_t length = read ? chunks.position_zero_length() : chunks.reply_length();
  if (length == 0 || !exchange.call || (read && !report.rfc5666())) {
    return Outcome::not_applicable;
  }
  if (!report.upper_layer().result_chunks().empty()) {
    return Outcome::undecided;  // what else is to be read may shift what is behind it
  }
  return judge_long_message(report.upper_layer().reply(),
                            read ? "Position-Zero Read chunk of the Reply" : "Reply chunk", length, exchange,
                            false, report);
}

// RFC 5666 §5.2: a Reply is left to be read where its Call advertises no Reply chunk, or one too small.
Outcome check_reply_left_to_be_read(const flow::Message& message, Report& report) {
  const uint64_t length = message.header->chunks.position_zero_length();
  if (!report.rfc5666() || !message.header->is_nomsg() || length == 0) {
    return Outcome::not_applicable;
  }
  const Answers pair = answers(message);
  if (pair.outcome != Outcome::done) {
    return pair.outcome;
  }
  const uint64_t room = pair.call->header.chunks.reply_length();
  if (room >= length) {
    report("Reply of {} bytes is left to be read, although its Call advertises a Reply chunk of {}", length,
           room)
        .in(message.header->chunks.reads[0].at)
        .with(*pair.open->call);
  }
  return Outcome::done;
}

// An RPC counts once: undecided where one half of it is, unless the other is broken.
Outcome check_long_message(const flow::Exchange& exchange, Report& report) {
  const bool call = exchange.call && exchange.call_message.header.is_nomsg();
  const bool reply = exchange.reply && exchange.reply_message.header.is_nomsg();
  const Outcome asked = call ? judge_long_call(exchange, report) : Outcome::not_applicable;
  const Outcome answered = reply ? judge_long_reply(exchange, report) : Outcome::not_applicable;
  return asked == Outcome::undecided || answered == Outcome::undecided ? Outcome::undecided
         : asked == Outcome::done || answered == Outcome::done         ? Outcome::done
                                                                       : Outcome::not_applicable;
}

}  // namespace

constinit const Rule long_message = {
    .id = "PAY-07",
    .name = "long-message-length",
    .source = {"RFC 8166", "3.5.3"},
    .exchange = check_long_message,
    .plain_exchange = plain::never,
};

constinit const Rule reply_left_to_be_read = {
    .id = "PAY-08",
    .name = "reply-left-to-be-read",
    .severity = Severity::warning,
    .source = {"RFC 5666", "5.2"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies & kinds::version_one,
    .message = check_reply_left_to_be_read,
    .plain_message = plain::never,
};

}  // namespace steertag::rules
