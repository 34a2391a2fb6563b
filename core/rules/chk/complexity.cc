// How many chunks and segments an NFSv4 client gives a server whose limits it
// does not know (RFC 8267 §6.4.2).

#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

constexpr size_t kMaxSegmentsOfChunk = 16;

Outcome check_chunk_list_complexity(const flow::Exchange& exchange, Report& report) {
  const rpcrdma::ChunkLists& chunks = exchange.call_message.header.chunks;
  if (!exchange.call || legible(exchange.call_message) == Outcome::not_applicable || chunks.empty()) {
    return Outcome::not_applicable;
  }
  if (!exchange.procedure) {
    return Outcome::undecided;
  }
  if (exchange.procedure->program != rpcrdma::program_nfs || exchange.procedure->version != 4) {
    return Outcome::not_applicable;
  }
  // A client that knows what the server can take may do as it likes.
  const Severity severity = report.strict() ? Severity::warning : Severity::note;
  const auto& reads = chunks.reads;
  size_t positions = 0;  // other than zero
  for (size_t i = 0; i < reads.size();) {
    size_t end = i + 1;
    while (end < reads.size() && reads[end].position == reads[i].position) {
      ++end;
    }
    positions += reads[i].position != 0 ? 1 : 0;
    if (end - i > kMaxSegmentsOfChunk) {
      report("Read chunk at Position {} has {} segments; servers are only sure to accept {}",
             reads[i].position, end - i, kMaxSegmentsOfChunk)
          .in(reads[i].at)
          .severity(severity)
          .of_call(exchange);
    }
    i = end;
  }
  if (positions > 1) {
    report("Call has {} Read chunks besides a Position-Zero one; servers are only sure to accept 1",
           positions)
        .in(reads[0].at)
        .severity(severity)
        .of_call(exchange);
  }
  if (chunks.writes.size() > 1) {
    report("Call has {} Write chunks; servers are only sure to accept 1", chunks.writes.size())
        .in(chunks.writes[0].at)
        .severity(severity)
        .of_call(exchange);
  }
  for (const auto* list : {&chunks.writes, &chunks.reply}) {
    for (size_t i = 0; i < list->size(); ++i) {
      if ((*list)[i].target.size() > kMaxSegmentsOfChunk) {
        report("{} has {} segments; servers are only sure to accept {}",
               list == &chunks.reply ? "Reply chunk" : fmt::format("Write chunk {}", i + 1),
               (*list)[i].target.size(), kMaxSegmentsOfChunk)
            .in((*list)[i].at)
            .severity(severity)
            .of_call(exchange);
      }
    }
  }
  return legible(exchange.call_message);
}

}  // namespace

constinit const Rule chunk_list_complexity = {
    .id = "CHK-14",
    .name = "chunk-list-complexity",
    .severity = Severity::warning,
    .source = {"RFC 8267", "6.4.2"},
    .exchange = check_chunk_list_complexity,
    .plain_exchange = plain::asked_with(plain::chunks),
};

}  // namespace steertag::rules
