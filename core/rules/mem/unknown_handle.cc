// RDMA operations on handles that were never advertised.

#include "rules/report.h"

namespace steertag::rules {
namespace {

std::string on_other_connection(const flow::Access& access) {
  return access.elsewhere == 0
             ? std::string()
             : fmt::format("; the same host advertises it on connection {}", access.elsewhere);
}

// A handle is an index into the tables of its owner: what it does not name is
// nobody's, or, worse, somebody else's. On iWARP it is the source STag that names
// the peer's memory where that is read; the sink is the reader's own.
Outcome judge_unknown_handle(const flow::Access& access, Report& report) {
  if (access.verdict != flow::Verdict::never_advertised) {
    return Outcome::done;
  }
  if (access.unsure) {
    return Outcome::undecided;
  }
  report("RDMA {} of {} bytes {} handle {:#010x}, which no Call on this connection has advertised{}",
         access.reading ? "Read" : "Write", access.range.length, access.reading ? "from" : "to",
         access.range.handle, on_other_connection(access));
  return Outcome::done;
}

// Applies where that cannot be judged, since the advertisement may be missing
// from the capture: that the handle is live next door is a hint then.
Outcome check_handle_of_other_connection(const flow::Access& access, Report& report) {
  if (access.verdict == flow::Verdict::never_advertised && access.elsewhere != 0) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    report("RDMA {} names handle {:#010x}, which the same host advertised on connection {}",
           access.reading ? "Read" : "Write", access.range.handle, access.elsewhere)
        .at_most(Certainty::possible);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule write_to_unknown_handle = {
    .id = "MEM-01",
    .name = "write-to-unknown-handle",
    .source = {"RFC 8166", "3.4.3"},
    .needs = prefers_setup | needs_both_ways | needs_no_loss,
    .access = of_writes<judge_unknown_handle>,
    .plain_access = plain::kept_with(plain::writes),
};

constinit const Rule read_of_unknown_handle = {
    .id = "MEM-02",
    .name = "read-of-unknown-handle",
    .source = {"RFC 8166", "3.4.5"},
    .needs = prefers_setup | needs_both_ways | needs_no_loss,
    .access = of_reads<judge_unknown_handle>,
    .plain_access = plain::kept_with(plain::reads),
};

constinit const Rule handle_of_other_connection = {
    .id = "MEM-08",
    .name = "handle-of-other-connection",
    .severity = Severity::warning,
    .source = {"RFC 8166", "8.1.1"},
    .needs = needs_setup | needs_both_ways,
    .access = check_handle_of_other_connection,
    .plain_access = plain::kept,
};

}  // namespace steertag::rules
