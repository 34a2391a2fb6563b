#include "product/page_records.h"

#include <algorithm>

#include "report/record/rpc.h"
#include "stats/outcome.h"

namespace steertag::product {
namespace {

constexpr size_t kMostFindings = 10'000;
constexpr size_t kMostConnections = 16384;

}  // namespace

// The gravest and surest first; what is known last.
uint64_t rank_of(const rules::Finding& finding, bool known) {
  const auto severity =
      static_cast<uint64_t>(rules::Severity::error) - static_cast<uint64_t>(finding.severity);
  const auto certainty =
      static_cast<uint64_t>(rules::Certainty::definite) - static_cast<uint64_t>(finding.certainty);
  return (known ? 16 : 0) + severity * 4 + certainty;
}

// Somewhat more than the bytes of its record.
size_t weight_of(const flow::Exchange& exchange) {
  size_t frames = 0;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    frames += std::min(segment.frames().size(), report::record::Rpc::kMostFrames);
  }
  return 512 + exchange.subject.file.size() + exchange.segments.size() * 170 + frames * 12;
}

bool is_notable(const flow::Exchange& exchange) {
  return stats::failed(exchange) || stats::unanswered(exchange) || exchange.timing.attempts > 1;
}

PageRecords::PageRecords(size_t most_rpcs, uint64_t memory, Gate* gate)
    : rpcs({Kept::Limit{most_rpcs, memory / 4}, {most_rpcs / 4, memory / 16}, {most_rpcs / 4, memory / 16}},
           gate),
      findings({Kept::Limit{kMostFindings, memory / 16}}, gate),
      connections({Kept::Limit{kMostConnections, memory / 16}}, gate),
      sequences({Kept::Limit{kMostTroubled, memory / 32}, {kMostFirst, memory / 32}}, gate) {}

}  // namespace steertag::product
