// RDMA operations on memory that is offered, but not for this, or not this far.

#include "rules/report.h"

namespace steertag::rules {

namespace {

std::string_view kind_of_segment(flow::ChunkKind kind) {
  switch (kind) {
    case flow::ChunkKind::read:
      return "Read";
    case flow::ChunkKind::write:
      return "Write";
    case flow::ChunkKind::reply:
      return "Reply chunk";
  }
  return {};
}

Outcome check_write_into_read_segment(const flow::Access& access, Report& report) {
  if (access.reading) {
    return Outcome::not_applicable;
  }
  if (access.verdict == flow::Verdict::wrong_kind) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    auto entry = report("RDMA Write to {:#018x} under handle {:#010x}, which is offered for reading only",
                        access.astray, access.range.handle);
    if (access.exchange != nullptr && access.exchange->call) {
      entry.with(*access.exchange->call);
    }
  }
  return Outcome::done;
}

Outcome check_read_from_write_segment(const flow::Access& access, Report& report) {
  if (!access.reading) {
    return Outcome::not_applicable;
  }
  if (access.verdict == flow::Verdict::wrong_kind) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    auto entry = report("RDMA Read from {:#018x} under handle {:#010x}, which is offered for writing only",
                        access.astray, access.range.handle);
    if (access.exchange != nullptr && access.exchange->call) {
      entry.with(*access.exchange->call);
    }
  }
  return Outcome::done;
}

// Neighbouring segments under one handle count as one, if they are of one Call and of one kind.
Outcome check_outside_of_segment(const flow::Access& access, Report& report) {
  if (access.verdict == flow::Verdict::outside) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    const flow::SegmentFlow* segment = access.segment;
    auto entry =
        segment == nullptr
            ? report("RDMA {} of {} bytes at {:#018x} under handle {:#010x}, where nothing is offered",
                     access.reading ? "Read" : "Write", access.range.length, access.range.offset,
                     access.range.handle)
            : report(
                  "RDMA {} of {} bytes at {:#018x} leaves what is offered under handle {:#010x} at {:#018x}; "
                  "the {} segment has {} bytes from {:#018x}",
                  access.reading ? "Read" : "Write", access.range.length, access.range.offset,
                  access.range.handle, access.astray, kind_of_segment(segment->kind), segment->target.length,
                  segment->target.offset);
    if (access.exchange != nullptr && access.exchange->call) {
      entry.with(*access.exchange->call);
    }
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule write_into_read_segment = {
    .id = "MEM-03",
    .name = "write-into-read-segment",
    .severity = Severity::error,
    .source = {"RFC 8166", "3.4.5"},
    .needs = needs_both_ways | needs_no_loss,
    .requirement = "Memory that is offered in a Read chunk is read, never written",
    .why =
        "It holds arguments that the application may still use; a cautious Requester has made it read-only",
    .access = check_write_into_read_segment,
};

constinit const Rule read_from_write_segment = {
    .id = "MEM-04",
    .name = "read-from-write-segment",
    .severity = Severity::error,
    .source = {"RFC 8166", "3.4.6"},
    .needs = needs_both_ways | needs_no_loss,
    .requirement = "Memory that is offered in a Write chunk or as Reply chunk is written, never read",
    .why = "What lies there before the results come is old data of the Requester that is nobody's business",
    .access = check_read_from_write_segment,
};

constinit const Rule outside_of_segment = {
    .id = "MEM-05",
    .name = "access-outside-of-segment",
    .severity = Severity::error,
    .source = {"RFC 8166", "3.4.3"},
    .needs = needs_both_ways | needs_no_loss,
    .requirement = "An RDMA operation stays inside the segments of one Call that are offered for it",
    .why =
        "The RNIC refuses it and the connection is lost; where a registration is larger than the "
        "segment, other data of the Requester is hit",
    .access = check_outside_of_segment,
};

}  // namespace steertag::rules
