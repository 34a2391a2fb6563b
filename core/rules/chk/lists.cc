// What a chunk list may hold at all, seen from one header.

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// RFC 8166 §4.3.1: Read chunks convey arguments, so only Calls have them. RFC 5666
// knew Replies that the Requester reads (Read-Read, §3.5).
Outcome check_reply_with_read_list(const flow::Message& message, Report& report) {
  if (report.rfc5666()) {
    return Outcome::not_applicable;
  }
  const auto& reads = message.header->chunks.reads;
  if (!reads.empty()) {
    report("Reply has a Read list of {}; a Reply must not have one", base::counted(reads.size(), "segment"))
        .in(reads[0].at);
  }
  return Outcome::done;
}

// Where nothing but its XID made it a Reply when it was sent, what came of it has to say so.
Outcome check_answered_before_reply(const flow::Exchange& exchange, Report& report) {
  if (report.rfc5666() || !exchange.reply_by_xid || !exchange.reply_message.kept) {
    return Outcome::not_applicable;
  }
  if (!exchange.complete) {
    return Outcome::undecided;
  }
  const auto& reads = exchange.reply_message.header.chunks.reads;
  report("Reply has a Read list of {}, a Reply must have none", base::counted(reads.size(), "segment"))
      .in(reads[0].at);
  return Outcome::done;
}

// The Read list is grouped into chunks by Position, so every segment is looked
// at, not only the first of its chunk.
Outcome check_misaligned_position(const flow::Message& message, Report& report) {
  const auto& reads = message.header->chunks.reads;
  for (size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].position % 4 != 0 && !(report.rfc5666() && roundup_chunk(reads[i]))) {
      report("Read segment {} has Position {}, which is not a multiple of 4", i + 1, reads[i].position)
          .in(reads[i].at);
    }
  }
  return reads.empty() ? Outcome::not_applicable : Outcome::done;
}

}  // namespace

constinit const Rule reply_with_read_list = {
    .id = "CHK-01",
    .name = "reply-with-read-list",
    .source = {"RFC 8166", "4.3.1"},
    .about = kinds::replies,
    .message = check_reply_with_read_list,
    .exchange = check_answered_before_reply,
    .plain_exchange = plain::never,
};

constinit const Rule misaligned_position = {
    .id = "CHK-02",
    .name = "misaligned-read-position",
    .source = {"RFC 8166", "3.4.5"},
    .about = kinds::rpcs,
    .message = check_misaligned_position,
    .plain_message = plain::asked_with(plain::reads),
};

}  // namespace steertag::rules
