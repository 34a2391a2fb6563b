// Read chunks and the arguments that they may carry, by the Upper-Layer Binding
// of the procedure; and the results, under RFC 5666.

#include "rules/read_results.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using nfs::Eligible;
using Carries = ReadChunk::Carries;

// The Outcome where there is no Call with Read chunks other than Position-Zero ones to judge.
Outcome reduced_call(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || exchange.call_message.header.chunks.reads.empty()) {
    return Outcome::not_applicable;
  }
  const Outcome outcome = legible(exchange.call_message);
  return outcome == Outcome::done && report.upper_layer().read_chunks().empty() ? Outcome::not_applicable
                                                                                : outcome;
}

// RFC 8166 §3.4.2: only what a binding names may be taken out of the message.
Outcome check_ineligible_argument(const flow::Exchange& exchange, Report& report) {
  if (const Outcome outcome = reduced_call(exchange, report); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  switch (upper.arguments()) {
    case Eligible::unknown:
      return Outcome::undecided;
    case Eligible::none:
      report("Read chunk at Position {} in {}, which has no DDP-eligible argument",
             upper.read_chunks()[0].position, upper.name())
          .in(upper.read_chunks()[0].at)
          .of_call(exchange);
      return Outcome::done;
    default:
      return Outcome::done;
  }
}

// Where the item begins that a chunk at `position` is near to or in. What the
// walk read behind that Position came out of the chunk and means nothing.
std::optional<uint64_t> start_of_item(const nfs::CallWalk& call, uint32_t position) {
  std::optional<uint64_t> start;
  for (const nfs::Item& item : call.items) {
    if (item.position <= uint64_t{position} + 4) {
      start = item.position;
    }
  }
  return start;
}

// The first Position that is wrong shifts everything after it, so no more than one is reported.
Outcome check_argument_position(const flow::Exchange& exchange, Report& report) {
  if (const Outcome outcome = reduced_call(exchange, report); outcome != Outcome::done) {
    return outcome;
  }
  UpperLayer& upper = report.upper_layer();
  const Eligible eligible = upper.arguments();
  if (eligible != Eligible::some) {
    return eligible == Eligible::none ? Outcome::not_applicable : Outcome::undecided;
  }
  for (const ReadChunk& chunk : upper.read_chunks()) {
    if (chunk.carries == Carries::unknown) {
      return Outcome::undecided;
    }
    if (chunk.carries == Carries::item) {
      continue;
    }
    const std::optional<uint64_t> wanted = start_of_item(*upper.call(), chunk.position);
    const std::string expected =
        wanted ? fmt::format("but the data begins at {}", *wanted) : "where no DDP-eligible argument begins";
    report("Read chunk at Position {} in {}, {}", chunk.position, upper.name(), expected)
        .in(chunk.at)
        .of_call(exchange);
    return Outcome::done;
  }
  return Outcome::done;
}

// RFC 5666 §3.4: the Position is the place in the stream, and the count of an item stays there.
Outcome check_result_position(const flow::Exchange& exchange, Report& report) {
  UpperLayer& upper = report.upper_layer();
  if (!report.rfc5666() || !leaves_results(exchange, upper)) {
    return Outcome::not_applicable;
  }
  if (const auto misplaced = misplaced_result(upper)) {
    const std::string expected = misplaced->wanted
                                     ? fmt::format("but the data begins at {}", *misplaced->wanted)
                                     : "before its results";
    const std::string name = upper.name();
    report("Read chunk at Position {} in the Reply to {}, {}", misplaced->chunk->position,
           name.empty() ? "its Call" : name, expected)
        .in(misplaced->chunk->at)
        .at_most(upper.surest());
    return Outcome::done;
  }
  const auto& chunks = upper.result_chunks();
  const bool known = std::all_of(chunks.begin(), chunks.end(),
                                 [](const ReadChunk& chunk) { return chunk.carries == Carries::item; });
  return known ? Outcome::done : Outcome::undecided;
}

Outcome check_position_off_item(const flow::Exchange& exchange, Report& report) {
  const Outcome asked = check_argument_position(exchange, report);
  return of_both_legs(asked, check_result_position(exchange, report));
}

}  // namespace

constinit const Rule ineligible_argument = {
    .id = "DDP-01",
    .name = "ineligible-argument",
    .source = {"RFC 8166", "3.4.2"},
    .also = "rfc8267",
    .exchange = check_ineligible_argument,
    .plain_exchange = plain::asked_with(plain::reads),
};

constinit const Rule position_off_item = {
    .id = "DDP-02",
    .name = "position-off-item",
    .source = {"RFC 8166", "4.3.1.1"},
    .also = "rfc8267,rfc5666",
    .exchange = check_position_off_item,
    .plain_exchange = plain::asked_with(plain::reads),
};

}  // namespace steertag::rules
