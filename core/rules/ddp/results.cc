// Write chunks and the results that a Responder puts into them, by the
// Upper-Layer Binding of the procedure.

#include <algorithm>

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Eligible;
using nfs::Placed;

Outcome check_ineligible_result(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (const Outcome outcome = upper.comparable_writes(); outcome != Outcome::done) {
    return outcome;
  }
  const std::optional<size_t> used = upper.first_used();
  if (!used) {
    return Outcome::not_applicable;
  }
  const Eligible eligible = upper.results();
  if (eligible == Eligible::none) {
    report("Reply returns {} bytes in Write chunk {}, but {} has no DDP-eligible result",
           upper.returned()[*used], *used + 1, upper.name())
        .in(exchange.reply_message.header.chunks.writes[*used].at)
        .at_most(upper.surest());
  }
  return eligible == Eligible::unknown ? Outcome::undecided : Outcome::done;
}

// Where the bytes of an item in the stream of a Reply travel.
std::string_view place_of(const rpcrdma::TransportHeader& answer, const nfs::Item& item) {
  const auto& reads = answer.chunks.reads;
  const bool own = std::any_of(reads.begin(), reads.end(), [&](const rpcrdma::ReadSegment& read) {
    return read.position != 0 && read.position == item.position;
  });
  return own                                 ? "in a Read chunk"
         : !answer.is_nomsg()                ? "inline"
         : answer.chunks.has_position_zero() ? "in the Position-Zero Read chunk"
                                             : "in the Reply chunk";
}

// A Reply that cannot be read since a result is inline in part, or as well as in its chunk.
void report_beside(const flow::Exchange& exchange, const Misfit& misfit, Report& report) {
  UpperLayer& upper = report.upper_layer();
  const uint64_t returned = upper.returned()[misfit.chunk];
  const std::string where =
      returned != 0
          ? fmt::format("{} in Write chunk {}, and as many follow inline", returned, misfit.chunk + 1)
          : fmt::format("{} are inline, and none in Write chunk {}",
                        upper.reply_length() - misfit.item.position, misfit.chunk + 1);
  report("Result {} of {} has {} bytes: {}", misfit.result + 1, upper.name(), misfit.item.count, where)
      .in(exchange.reply_message.header.chunks.writes[misfit.chunk].at)
      .at_most(upper.surest());
}

// RFC 5666 §3.4: by Read list only where the upper layer permits it. RFC 5667 §5 does not, of READ and
// READLINK in a COMPOUND: inline, where there is no Write chunk, or the whole Reply as one chunk. What has a
// Write chunk that is large enough is judged as in other versions of NFS.
Outcome check_left_to_be_read(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (!report.rfc5666() || exchange.version != 1 || !exchange.call || !exchange.reply || exchange.error ||
      upper.result_chunks().empty()) {
    return Outcome::not_applicable;
  }
  const rpcrdma::RpcHeader* call = upper.header();
  const nfs::ReplyWalk* walk = upper.reply();
  if (call == nullptr || walk == nullptr) {
    return Outcome::undecided;
  }
  if (!nfs::is_compound(*call)) {
    return Outcome::not_applicable;
  }
  const auto& advertised = exchange.call_message.header.chunks.writes;
  for (const ReadChunk& chunk : upper.result_chunks()) {
    const auto item = std::find_if(walk->items.begin(), walk->items.end(),
                                   [&](const nfs::Item& one) { return one.position == chunk.position; });
    if (chunk.carries != ReadChunk::Carries::item || item == walk->items.end()) {
      return Outcome::undecided;
    }
    const auto place = static_cast<size_t>(item - walk->items.begin());
    if (place >= advertised.size() || advertised[place].length() < item->count) {
      report(
          "Result {} of {} has its {} bytes in a Read chunk; NFSv4 sends them inline where there is no Write "
          "chunk",
          place + 1, upper.name(), item->count)
          .in(chunk.at)
          .at_most(upper.surest());
      return Outcome::done;
    }
  }
  return Outcome::done;
}

// Reports the i-th result if it is not in the i-th Write chunk although that has room. `shifted`: a result
// before it left its chunk alone, as it may.
bool report_displaced(const flow::Exchange& exchange, size_t i, const nfs::Item& item, bool shifted,
                      Report& report) {
  UpperLayer& upper = report.upper_layer();
  const auto& advertised = exchange.call_message.header.chunks.writes;
  const rpcrdma::TransportHeader& answer = exchange.reply_message.header;
  const uint64_t space = i < advertised.size() ? advertised[i].length() : 0;
  if (item.placed == Placed::in_stream && space >= item.count) {
    const uint64_t as_well = upper.returned()[i];
    report("Result {} of {} returns its {} bytes {}, although Write chunk {} {}", i + 1, upper.name(),
           item.count, place_of(answer, item), i + 1,
           as_well != 0 ? fmt::format("also returns {} bytes", as_well)
                        : fmt::format("has room for {} bytes", space))
        .in(answer.chunks.writes[i].at)
        .at_most(upper.surest());
    return true;
  }
  if (item.placed == Placed::in_chunk && item.chunk != i && (space == 0 || space >= item.count)) {
    report("Result {} of {} is in Write chunk {}, but belongs {}", i + 1, upper.name(), item.chunk + 1,
           space != 0 ? fmt::format("in Write chunk {}", i + 1) : "inline")
        .in(answer.chunks.writes[item.chunk].at)
        .severity(shifted && !report.strict() ? Severity::warning : Severity::error)
        .at_most(upper.surest());
    return true;
  }
  return false;
}

// The i-th eligible result belongs to the i-th Write chunk (RFC 8267 §6.4.1).
// RFC 8166 §4.3.2.2 lets a result have the chunk that one before it had no use
// for; who does so in NFSv4 is warned only. One finding a Reply: after the
// first, the rest is displaced, too.
void judge_places(const flow::Exchange& exchange, const nfs::ReplyWalk& walk, Report& report) {
  UpperLayer& upper = report.upper_layer();
  const size_t advertised = exchange.call_message.header.chunks.writes.size();
  bool shifted = false;
  for (size_t i = 0; i < walk.items.size(); ++i) {
    if (walk.items[i].count == 0) {
      shifted |= i < advertised;
    } else if (report_displaced(exchange, i, walk.items[i], shifted, report)) {
      return;
    }
  }
  if (crosswise(walk, upper.returned())) {
    report("The results of {} are in each other's Write chunks", upper.name())
        .in(exchange.reply_message.header.chunks.writes[0].at)
        .at_most(upper.surest());
  } else if (walk.unclaimed != 0) {
    const bool failed = !walk.rpc.succeeded() || walk.items.empty();
    report("Reply returns bytes in {}, but no result that they could belong to",
           base::counted(walk.unclaimed, "Write chunk"))
        .severity(failed && !report.strict() ? Severity::warning : Severity::error)
        .at_most(upper.surest());
  }
}

Outcome check_written_results(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (const Outcome outcome = upper.comparable_writes(); outcome != Outcome::done) {
    return outcome;
  }
  const auto& advertised = exchange.call_message.header.chunks.writes;
  const bool room = std::any_of(advertised.begin(), advertised.end(),
                                [](const rpcrdma::WriteChunk& chunk) { return chunk.length() != 0; });
  // RFC 8166 has no Replies that are read, and says so elsewhere.
  const bool by_read = !exchange.reply_message.header.chunks.reads.empty();
  const Eligible eligible = upper.results();
  if (!room || eligible == Eligible::none || (by_read && !report.rfc5666())) {
    return Outcome::not_applicable;
  }
  const Misfit misfit = upper.misfit();
  if (misfit.kind == Misfit::Kind::beside) {
    report_beside(exchange, misfit, report);
    return Outcome::done;
  }
  const nfs::ReplyWalk* walk = eligible == Eligible::some ? upper.reply() : nullptr;
  if (walk == nullptr || !walk->complete()) {
    return misfit.kind == Misfit::Kind::none ? Outcome::undecided : Outcome::not_applicable;
  }
  judge_places(exchange, *walk, report);
  return Outcome::done;
}

Outcome check_result_beside_its_chunk(const flow::Exchange& exchange, Report& report) {
  const Outcome written = check_written_results(exchange, report);
  return of_both_legs(written, check_left_to_be_read(exchange, report));
}

}  // namespace

constinit const Rule ineligible_result = {
    .id = "DDP-03",
    .name = "ineligible-result",
    .source = {"RFC 8166", "6.1"},
    .also = "rfc8267",
    .needs = needs_both_ways,
    .exchange = check_ineligible_result,
    .plain_exchange = plain::asked_with(plain::writes),
};

constinit const Rule result_beside_its_chunk = {
    .id = "DDP-04",
    .name = "result-beside-its-chunk",
    .source = {"RFC 8267", "6.4.1"},
    .also = "rfc8166,rfc5666",
    .needs = needs_both_ways,
    .exchange = check_result_beside_its_chunk,
    .plain_exchange = plain::asked_with(plain::writes),
};

}  // namespace steertag::rules
