// A chunk holds one data item: as many bytes as the count word says that stays
// in the message, no more and no less (RFC 8166 §3.4.4.1, §3.4.5.2, §3.4.6.2).

#include "nfs/cursor.h"
#include "rules/report.h"

namespace steertag::rules {

namespace {

// The count word decides, so what is behind the items does not matter; but only
// a walk that ends well tells which item is in which chunk.
Outcome check_write_chunk_length(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (const Outcome outcome = upper.comparable_writes(); outcome != Outcome::done) {
    return outcome;
  }
  uint64_t used = 0;
  for (const uint64_t bytes : upper.returned()) {
    used += bytes;
  }
  const nfs::Eligible eligible = upper.results();
  if (used == 0 || eligible == nfs::Eligible::none) {
    return Outcome::not_applicable;
  }
  const nfs::ReplyWalk* walk = eligible == nfs::Eligible::some ? upper.reply() : nullptr;
  if (walk == nullptr || !walk->complete()) {
    return Outcome::undecided;
  }
  if (crosswise(*walk, upper.returned())) {
    return Outcome::done;  // whole items in the wrong chunks: another rule says so
  }
  Outcome outcome = Outcome::not_applicable;
  for (const nfs::Item& item : walk->items) {
    if (item.placed != nfs::Placed::in_chunk) {
      continue;
    }
    outcome = Outcome::done;
    const uint64_t returned = upper.returned()[item.chunk];
    const bool roundup = returned == nfs::padded(item.count);
    if (returned == item.count || (roundup && report.rfc5666())) {
      continue;
    }
    report("Write chunk {} returns {} bytes, the result in it has {}{}", item.chunk + 1, returned, item.count,
           roundup ? "; roundup is not written" : "")
        .in(exchange.answered.header.chunks.writes[item.chunk].at)
        .at_most(upper.surest());
  }
  return outcome;
}

Outcome check_read_chunk_length(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || exchange.asked.header.chunks.reads.empty()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.asked); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  Outcome outcome = Outcome::not_applicable;
  for (const ReadChunk& chunk : upper.read_chunks()) {
    if (chunk.carries != ReadChunk::Carries::item) {
      const bool nothing =
          chunk.carries == ReadChunk::Carries::no_item || upper.arguments() == nfs::Eligible::none;
      return outcome == Outcome::done || nothing ? outcome : Outcome::undecided;
    }
    outcome = Outcome::done;
    const uint64_t whole = nfs::padded(chunk.count);
    if (chunk.length == whole && whole != chunk.count) {
      if (chunk.length - chunk.last != chunk.count) {  // a segment of its own for it is as good
        report("Read chunk at Position {} brings {} bytes of roundup along; the argument has {}",
               chunk.position, whole - chunk.count, chunk.count)
            .in(chunk.at)
            .severity(Severity::note)
            .of_call(exchange);
      }
    } else if (chunk.length != chunk.count) {
      report("Read chunk at Position {} has {} bytes, the argument in it has {}", chunk.position,
             chunk.length, chunk.count)
          .in(chunk.at)
          .of_call(exchange);
    }
  }
  return outcome;
}

}  // namespace

constinit const Rule write_chunk_length = {
    .id = "CHK-12",
    .name = "write-chunk-length",
    .severity = Severity::error,
    .source = {"RFC 8166", "3.4.6.2"},
    .also = "rfc5666",
    .needs = needs_both_ways,
    .requirement = "A Reply returns as many bytes in a Write chunk as the result in it has",
    .why =
        "The Requester takes the length from the chunk or the count from the message; where they differ, "
        "data is lost or stale memory is handed to the application",
    .exchange = check_write_chunk_length,
};

constinit const Rule read_chunk_length = {
    .id = "CHK-13",
    .name = "read-chunk-length",
    .severity = Severity::error,
    .source = {"RFC 8166", "3.4.5.2"},
    .also = "rfc5666",
    .requirement =
        "A Read chunk is as long as the argument in it, or as the argument and its roundup together",
    .why =
        "The Responder takes the rest of the Call from where the chunk ends: a byte too few or too many "
        "garbles all that follows",
    .exchange = check_read_chunk_length,
};

}  // namespace steertag::rules
