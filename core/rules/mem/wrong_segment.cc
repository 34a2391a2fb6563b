// RDMA operations on memory that is advertised, but not for this, or not this far.

#include "base/named.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

std::string_view kind_of_segment(flow::ChunkKind kind) {
  static constexpr std::string_view names[] = {"Read", "Write", "Reply chunk", "Reply's Read"};
  return base::named<flow::ChunkKind::result>(names, kind);
}

// The message that advertises the segment.
void name_advertisement(const flow::Access& access, Report::Entry entry) {
  if (access.exchange == nullptr) {
    return;
  }
  const bool result = access.segment != nullptr && access.segment->kind == flow::ChunkKind::result;
  const std::optional<Stamp>& advertisement = result ? access.exchange->reply : access.exchange->call;
  if (advertisement) {
    entry.with(*advertisement);
  }
}

Outcome judge_wrong_kind(const flow::Access& access, Report& report) {
  if (access.verdict != flow::Verdict::wrong_kind) {
    return Outcome::done;
  }
  if (access.unsure) {
    return Outcome::undecided;
  }
  name_advertisement(access, report("RDMA {} {:#018x} under handle {:#010x}, which is advertised for {} only",
                                    access.reading ? "Read from" : "Write to", access.astray,
                                    access.range.handle, access.reading ? "writing" : "reading"));
  return Outcome::done;
}

// Neighbouring segments under one handle count as one, if they are of one Call and of one kind.
Outcome check_outside_of_segment(const flow::Access& access, Report& report) {
  if (access.verdict != flow::Verdict::outside) {
    return Outcome::done;
  }
  if (access.unsure) {
    return Outcome::undecided;
  }
  const char* operation = access.reading ? "Read" : "Write";
  const rdma::Memory& range = access.range;
  if (const flow::SegmentFlow* segment = access.segment) {
    name_advertisement(
        access,
        report("RDMA {} of {} bytes at {:#018x} runs past the memory advertised under handle {:#010x} "
               "at {:#018x}; the {} segment has {} bytes from {:#018x}",
               operation, range.length, range.offset, range.handle, access.astray,
               kind_of_segment(segment->kind), segment->target.length, segment->target.offset));
  } else {
    name_advertisement(
        access, report("RDMA {} of {} bytes at {:#018x} under handle {:#010x}, where nothing is advertised",
                       operation, range.length, range.offset, range.handle));
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule write_into_read_segment = {
    .id = "MEM-03",
    .name = "write-into-read-segment",
    .source = {"RFC 8166", "3.4.5"},
    .needs = needs_both_ways | needs_no_loss,
    .access = of_writes<judge_wrong_kind>,
    .plain_access = plain::kept_with(plain::writes),
};

constinit const Rule read_from_write_segment = {
    .id = "MEM-04",
    .name = "read-from-write-segment",
    .source = {"RFC 8166", "3.4.6"},
    .needs = needs_both_ways | needs_no_loss,
    .access = of_reads<judge_wrong_kind>,
    .plain_access = plain::kept_with(plain::reads),
};

constinit const Rule outside_of_segment = {
    .id = "MEM-05",
    .name = "access-outside-of-segment",
    .source = {"RFC 8166", "3.4.3"},
    .also = "rfc5666",
    .needs = needs_both_ways | needs_no_loss,
    .access = check_outside_of_segment,
    .plain_access = plain::kept,
};

}  // namespace steertag::rules
