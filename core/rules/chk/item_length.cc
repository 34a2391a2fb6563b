// A chunk holds one data item: as many bytes as the count word says that stays
// in the message, no more and no less (RFC 8166 §3.4.4.1, §3.4.5.2, §3.4.6.2).

#include "base/counted.h"
#include "nfs/cursor.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// The Reply makes sense neither with the result in its chunk nor with it inline.
void report_misfit(const flow::Exchange& exchange, const Misfit& misfit, Report& report) {
  report("Write chunk {} returns {} bytes, but result {} has {}, and the rest of the Reply matches neither",
         misfit.chunk + 1, report.upper_layer().returned()[misfit.chunk], misfit.result + 1,
         misfit.item.count)
      .in(exchange.reply_message.header.chunks.writes[misfit.chunk].at)
      .at_most(report.upper_layer().surest());
}

// The count word decides, so what is behind the items does not matter; but only
// a walk that ends well shows which item is in which chunk.
Outcome check_write_chunk_length(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (const Outcome outcome = upper.comparable_writes(); outcome != Outcome::done) {
    return outcome;
  }
  const nfs::Eligible eligible = upper.results();
  if (!upper.first_used() || eligible == nfs::Eligible::none) {
    return Outcome::not_applicable;
  }
  const nfs::ReplyWalk* walk = eligible == nfs::Eligible::some ? upper.reply() : nullptr;
  const Misfit misfit = upper.misfit();
  if (misfit.kind == Misfit::Kind::length) {
    report_misfit(exchange, misfit, report);
    return Outcome::done;
  }
  if (walk == nullptr || !walk->complete()) {
    return misfit.kind == Misfit::Kind::none ? Outcome::undecided : Outcome::not_applicable;
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
    report("Write chunk {} returns {} bytes, but the result in it has {}{}", item.chunk + 1, returned,
           item.count, roundup ? "; XDR roundup must not be written" : "")
        .in(exchange.reply_message.header.chunks.writes[item.chunk].at)
        .at_most(upper.surest());
  }
  return outcome;
}

// Whether there are Read chunks that can be read.
Outcome legible_reads(const flow::KeptMessage& leg) {
  return leg.header.chunks.reads.empty() ? Outcome::not_applicable : legible(leg);
}

Outcome judge_read_chunks(const flow::Exchange& exchange, bool of_call, Report& report) {
  if (const Outcome outcome = legible_reads(of_call ? exchange.call_message : exchange.reply_message);
      outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const base::List<ReadChunk>& chunks = of_call ? upper.read_chunks() : upper.result_chunks();
  const nfs::Eligible eligible = of_call ? upper.arguments() : upper.results();
  const std::string_view what = of_call ? "argument" : "result";
  const auto place = [&](Report::Entry entry, const ReadChunk& chunk) {
    entry.in(chunk.at);
    of_call ? entry.of_call(exchange) : entry.at_most(upper.surest());
  };
  Outcome outcome = Outcome::not_applicable;
  for (const ReadChunk& chunk : chunks) {
    if (chunk.carries != ReadChunk::Carries::item) {
      const bool nothing = chunk.carries == ReadChunk::Carries::no_item || eligible == nfs::Eligible::none;
      return outcome == Outcome::done || nothing ? outcome : Outcome::undecided;
    }
    outcome = Outcome::done;
    const uint64_t whole = nfs::padded(chunk.count);
    if (chunk.length == whole && whole != chunk.count) {
      // A segment of its own for it is as good; and RFC 5666 §3.7 has nothing against it where it is at hand.
      if (chunk.length - chunk.last != chunk.count && !report.rfc5666()) {
        place(report("Read chunk at Position {} includes {} of XDR roundup; the {} has {}", chunk.position,
                     base::counted(whole - chunk.count, "byte"), what, chunk.count)
                  .severity(Severity::note),
              chunk);
      }
    } else if (chunk.length != chunk.count) {
      place(report("Read chunk at Position {} has {} bytes, but the {} in it has {}", chunk.position,
                   chunk.length, what, chunk.count),
            chunk);
    }
  }
  return outcome;
}

// RFC 5666 §3.4 makes no difference between a Call and a Reply; RFC 8166 has no such chunks in Replies.
Outcome check_read_chunk_lengths(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call) {
    return Outcome::not_applicable;
  }
  const Outcome asked = judge_read_chunks(exchange, true, report);
  const bool answered = report.rfc5666() && exchange.reply;
  return of_both_legs(asked, answered ? judge_read_chunks(exchange, false, report) : Outcome::not_applicable);
}

// RFC 5666 §3.7: roundup is skipped without being transferred, so memory that holds nothing else is
// registered and read in vain.
Outcome judge_segments_of_roundup(const flow::Exchange& exchange, bool of_call, Report& report) {
  const flow::KeptMessage& leg = of_call ? exchange.call_message : exchange.reply_message;
  if (const Outcome outcome = legible_reads(leg); outcome != Outcome::done) {
    return outcome;
  }
  const auto place = [&](Report::Entry entry, const Range& at) {
    entry.in(at);
    if (of_call) {
      entry.of_call(exchange);
    }
  };
  for (const rpcrdma::ReadSegment& segment : leg.header.chunks.reads) {
    if (roundup_chunk(segment)) {
      place(report("Read chunk at Position {} of {} holds nothing but XDR roundup", segment.position,
                   base::counted(segment.target.length, "byte")),
            segment.at);
    }
  }
  UpperLayer& upper = report.upper_layer();
  for (const ReadChunk& chunk : of_call ? upper.read_chunks() : upper.result_chunks()) {
    const bool alone = chunk.carries == ReadChunk::Carries::item &&
                       chunk.length == nfs::padded(chunk.count) && chunk.length != chunk.count &&
                       chunk.length - chunk.last == chunk.count;
    if (alone) {
      place(report("Read chunk at Position {} ends in a segment of {} that holds nothing but XDR roundup",
                   chunk.position, base::counted(chunk.last, "byte")),
            chunk.at);
    }
  }
  return Outcome::done;
}

Outcome check_segment_of_roundup(const flow::Exchange& exchange, Report& report) {
  if (!report.rfc5666() || exchange.version != 1 || !exchange.call) {
    return Outcome::not_applicable;
  }
  return of_both_legs(judge_segments_of_roundup(exchange, true, report),
                      judge_segments_of_roundup(exchange, false, report));
}

}  // namespace

constinit const Rule write_chunk_length = {
    .id = "CHK-12",
    .name = "write-chunk-length",
    .source = {"RFC 8166", "3.4.6.2"},
    .also = "rfc5666",
    .needs = needs_both_ways,
    .exchange = check_write_chunk_length,
    .plain_exchange = plain::asked_with(plain::writes),
};

constinit const Rule read_chunk_length = {
    .id = "CHK-13",
    .name = "read-chunk-length",
    .source = {"RFC 8166", "3.4.5.2"},
    .also = "rfc5666",
    .exchange = check_read_chunk_lengths,
    .plain_exchange = plain::asked_with(plain::reads),
};

constinit const Rule segment_of_roundup = {
    .id = "CHK-17",
    .name = "read-segment-of-roundup",
    .severity = Severity::warning,
    .source = {"RFC 5666", "3.7"},
    .exchange = check_segment_of_roundup,
    .plain_exchange = plain::asked_with(plain::reads),
};

}  // namespace steertag::rules
