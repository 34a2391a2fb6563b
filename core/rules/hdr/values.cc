// Values in a header that was read whole: enumerations, rdma_optinfo, memory
// that cannot be.

#include "base/counted.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

namespace v1 = rpcrdma::v1;
namespace v2 = rpcrdma::v2;

constexpr uint32_t kOptinfoAt = 28;  // the first byte of it, behind its count

Outcome check_direction_value(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.direction) {
    return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
  }
  if (text(*h.direction).empty()) {
    report("{} {}; it must be 0 (CALL) or 1 (REPLY)",
           h.is(v2::Proc::optional) ? "rdma_optdir" : "rdma_direction", static_cast<uint32_t>(*h.direction))
        .in(field::direction);
  }
  return Outcome::done;
}

Outcome check_error_values(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.error_code()) {
    return header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
  }
  if (h.version > 2) {
    return Outcome::not_applicable;  // has whatever codes it likes
  }
  if (h.error_v1 && text(h.error_v1->code).empty()) {
    if (report.rfc5666()) {
      return Outcome::not_applicable;  // the arm for errors to come (RFC 5666 §4.3)
    }
    report("rdma_err {}; version one has only 1 (ERR_VERS) and 2 (ERR_CHUNK){}", *h.error_code(),
           h.error_v1->extra ? "; the eight words after it are from RFC 5666, RFC 8166 has none" : "")
        .in(field::error);
  } else if (h.error_v2 && text(h.error_v2->code).empty()) {
    report("rdma_err {}; version two has only 1 to 5", *h.error_code()).in(field::error);
  } else if (h.error_v2 && text(h.error_v2->processed).empty()) {
    report("rdma_processed {}; it must be 0 or 1", static_cast<uint32_t>(h.error_v2->processed))
        .in(field::processed);
  }
  return Outcome::done;
}

Outcome check_enumeration(const flow::Message& message, Report& report) {
  if (message.header->is_error()) {
    return check_error_values(message, report);
  }
  return check_direction_value(message, report);
}

Outcome check_optinfo_runs_off(const flow::Message& message, Report& report) {
  if (message.length < kOptinfoAt) {
    return Outcome::not_applicable;
  }
  const auto& stop = message.decoded.stop;
  if (!stop || stop->limit == wire::Limit::segment) {
    // RFC 4506 §4.10. What holds characteristics may be padded inside as well, and has a rule of its own.
    if (message.decoded.nonzero_pad && unknown_option(message)) {
      report("Padding of rdma_optinfo is not zero")
          .in(*message.decoded.nonzero_pad)
          .severity(Severity::warning);
    }
    return Outcome::done;
  }
  if (stop->limit == wire::Limit::capture) {
    return Outcome::undecided;
  }
  const uint32_t left = message.length - std::min(message.length, stop->offset);
  if (stop->offset == kOptinfoAt) {
    report("rdma_optinfo claims {} bytes, but {} are left in the Send", stop->needed, left)
        .in({kOptinfoAt - 4, left + 4});
  } else {
    report("rdma_optinfo must be padded by {}, but {} {} left in the Send",
           base::counted(stop->needed, "byte"), left, left == 1 ? "is" : "are")
        .in({stop->offset, left});
  }
  return Outcome::done;
}

void judge_segment(const rpcrdma::Segment& segment, Report& report) {
  if (segment.length != 0 && segment.offset > UINT64_MAX - (segment.length - 1)) {
    report("Segment of handle {:#010x} begins at {:#018x}, so its {} bytes go beyond 2^64", segment.handle,
           segment.offset, segment.length)
        .in(segment.at);
  }
}

void judge_sum(uint64_t sum, const char* kind, Range at, Report& report) {
  if (sum > UINT32_MAX) {
    report("Segments of a {} are {} bytes together; a chunk has at most 2^32-1", kind, sum).in(at);
  }
}

// A Reply repeats what its Call said.
Outcome check_impossible_memory(const flow::Message& message, Report& report) {
  const rpcrdma::ChunkLists& lists = message.header->chunks;
  uint64_t sum = 0;
  for (size_t i = 0; i < lists.reads.size(); ++i) {
    const rpcrdma::ReadSegment& read = lists.reads[i];
    sum = (i != 0 && lists.reads[i - 1].position == read.position ? sum : 0) + read.target.length;
    judge_segment(read.target, report);
    if (i + 1 == lists.reads.size() || lists.reads[i + 1].position != read.position) {
      judge_sum(sum, "Read chunk", read.at, report);
    }
  }
  for (const auto* chunks : {&lists.writes, &lists.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *chunks) {
      for (const rpcrdma::Segment& segment : chunk.target) {
        judge_segment(segment, report);
      }
      judge_sum(chunk.length(), chunks == &lists.writes ? "Write chunk" : "Reply chunk", chunk.at, report);
    }
  }
  return header_cut(message) ? Outcome::undecided : lists.empty() ? Outcome::not_applicable : Outcome::done;
}

}  // namespace

constinit const Rule bad_enumeration = {
    .id = "HDR-06",
    .name = "value-outside-enumeration",
    .source = {"RFC 8166", "4.1.2"},
    .also = "version-two-02",
    .about = kinds::errors | kinds::version_two,
    .message = check_enumeration,
};

constinit const Rule optinfo_runs_off = {
    .id = "HDR-07",
    .name = "optinfo-runs-off",
    .source = {"version-two-02", "5.2"},
    .about = kinds::optionals,
    .message = check_optinfo_runs_off,
};

constinit const Rule impossible_memory = {
    .id = "HDR-08",
    .name = "impossible-memory",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.4.4"},
    .about = kinds::calls | kinds::unclear,
    .message = check_impossible_memory,
    .plain_message = plain::asked_with(plain::chunks),
};

}  // namespace steertag::rules
