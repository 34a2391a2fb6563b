// What RDMA moved for an RPC, against what its Call advertised and its Reply says.

#include <algorithm>

#include "rules/fared.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// Bytes of `moved` in front of `end`.
uint64_t bytes_before(const base::RangeSet& moved, uint64_t end) {
  uint64_t count = 0;
  for (const base::RangeSet::Interval& i : moved.intervals()) {
    count += i.begin < end ? std::min(i.end, end) - i.begin : 0;
  }
  return count;
}

// Where a capture begins in the middle, a Call in its first seconds may be one that
// the transport had to send again: it may have been served, in part, before the capture.
constexpr int64_t kTransportRetriesNs = 10'000'000'000;

Certainty certainty_of_total(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  const bool early = exchange.call->time_ns - connection.first_frame.time_ns < kTransportRetriesNs;
  return !connection.seen_from_start && early ? Certainty::possible : Certainty::definite;
}

// A Call that was retransmitted has two Exchanges: what served the first is not in the second.
bool answered_once(const flow::Exchange& exchange) {
  return exchange.status == flow::Status::complete && exchange.call_message.kept && exchange.resent == 0;
}

// RFC 5666 §3.7: what a Reply returns in a Write chunk may count the roundup, which is not written: up to
// three bytes, the last of the chunk, that make what is returned a multiple of four.
uint64_t unwritten_roundup(const flow::Exchange& exchange, const flow::SegmentFlow& segment) {
  if (segment.kind != flow::ChunkKind::write) {
    return 0;
  }
  uint64_t chunk = 0, behind = 0;  // bytes returned: in the chunk, and in its segments behind this one
  for (const flow::SegmentFlow& other : exchange.segments) {
    if (other.kind == flow::ChunkKind::write && other.chunk == segment.chunk) {
      chunk += other.returned.value_or(0);
      behind = &other == &segment ? 0 : behind + other.returned.value_or(0);
    }
  }
  return chunk % 4 == 0 && behind < 3 ? 3 - behind : 0;
}

// A Write of it has a hole, or continues elsewhere: NET-09 reports that, and the amounts follow.
bool misplaced(const flow::SegmentFlow& segment, const Report& report) {
  const auto shows = [&](const Stamp& at) {
    return std::find(segment.frames().begin(), segment.frames().end(), at) != segment.frames().end();
  };
  return report.earlier({"NET-09"}, [&](const Finding& finding) {
    return shows(finding.at) || std::any_of(finding.related.begin(), finding.related.end(), shows);
  }) != nullptr;
}

Outcome check_write_total(const flow::Exchange& exchange, Report& report) {
  if (exchange.status != flow::Status::complete) {
    return Outcome::not_applicable;
  }
  const bool used = fared(exchange) == Fared::succeeded;
  const bool former = report.rfc5666() && exchange.version == 1;
  // RFC 5666 §3.4 has the Requester expect other bytes in what is not returned: padding may be written there.
  const uint64_t padding = former ? 3 : 0;
  Outcome outcome = Outcome::not_applicable;
  size_t number = 0;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    ++number;
    if (flow::for_reading(segment.kind) || !segment.returned) {
      continue;
    }
    if (!answered_once(exchange) || exchange.shares_memory || segment.after_reply ||
        segment.moved().intervals().size() == base::RangeSet::kMaxIntervals) {
      return Outcome::undecided;
    }
    outcome = Outcome::done;
    const uint32_t returned = std::min(*segment.returned, segment.target.length);
    const uint64_t written = bytes_before(segment.moved(), returned);
    const uint64_t beyond = segment.moved().total() - written;
    const uint64_t due =
        returned - std::min<uint64_t>(returned, former ? unwritten_roundup(exchange, segment) : 0);
    const bool unwritten = bytes_before(segment.moved(), due) < due;
    if ((unwritten || beyond != 0) && misplaced(segment, report)) {
      return Outcome::undecided;
    }
    if (unwritten) {
      report("Reply returns {} bytes in the segment with handle {:#010x}, but {} of them were written",
             returned, segment.target.handle, written)
          .at_most(certainty_of_total(exchange));
    } else if (beyond > padding && (used || returned != 0)) {
      report(
          "RDMA Writes put {} more bytes into the segment with handle {:#010x} than the {} that the Reply "
          "returns",
          beyond, segment.target.handle, returned)
          .severity(Severity::warning);
    }
  }
  return outcome;
}

struct ReadTotal {
  uint64_t advertised = 0, read = 0;
};

// The Read segments at one Position, and what was read of them.
ReadTotal read_total(const flow::Exchange& exchange, uint32_t position) {
  ReadTotal total;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind == flow::ChunkKind::read && segment.position == position) {
      total.advertised += segment.target.length;
      total.read += segment.moved().total();
    }
  }
  return total;
}

// Up to three bytes may be padding, which nobody needs to read (RFC 8166 §3.4.5.2).
bool read_short(const ReadTotal& total) {
  return total.read + 3 < total.advertised;
}

Outcome check_unread_argument(const flow::Exchange& exchange, Report& report) {
  if (exchange.status != flow::Status::complete) {
    return Outcome::not_applicable;
  }
  Outcome outcome = Outcome::not_applicable;
  std::optional<uint32_t> last;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind != flow::ChunkKind::read || segment.position == 0 || segment.position == last) {
      continue;
    }
    last = segment.position;
    const Fared how = fared(exchange);
    if (how == Fared::failed) {
      return Outcome::not_applicable;  // nobody needs the data of a WRITE that is rejected
    }
    if (how == Fared::unknown || !answered_once(exchange)) {
      return Outcome::undecided;
    }
    outcome = Outcome::done;
    const ReadTotal total = read_total(exchange, segment.position);
    if (read_short(total)) {
      report("Reply reports success, but only {} of the {} bytes of the Read chunk at Position {} were read",
             total.read, total.advertised, segment.position)
          .at_most(std::min(Certainty::likely, certainty_of_total(exchange)));
    }
  }
  return outcome;
}

Outcome check_unread_call(const flow::Exchange& exchange, Report& report) {
  if (exchange.status != flow::Status::complete || !exchange.call_message.header.is_nomsg()) {
    return Outcome::not_applicable;
  }
  const ReadTotal total = read_total(exchange, 0);
  if (total.advertised == 0) {
    return Outcome::not_applicable;
  }
  if (!answered_once(exchange)) {
    return Outcome::undecided;
  }
  if (read_short(total)) {
    report("Reply to a Call of which only {} of {} bytes were read from its Position-Zero Read chunk",
           total.read, total.advertised)
        .at_most(certainty_of_total(exchange))
        .severity(report.profile() == Profile::deployed ? Severity::warning : Severity::error);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule write_total = {
    .id = "MEM-09",
    .name = "written-not-as-returned",
    .source = {"RFC 8166", "3.4.6"},
    .also = "rfc5666",
    .needs = needs_both_ways | needs_no_loss,
    .exchange = check_write_total,
    .plain_exchange = plain::asked_with(plain::writes | plain::reply_chunk),
};

constinit const Rule unread_argument = {
    .id = "MEM-10",
    .name = "success-without-reading-the-argument",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.4.5.1"},
    .needs = needs_both_ways | needs_no_loss,
    .exchange = check_unread_argument,
    .plain_exchange = plain::asked_with(plain::reads),
};

constinit const Rule unread_call = {
    .id = "MEM-11",
    .name = "reply-to-unread-call",
    .source = {"RFC 8166", "3.5.3"},
    .needs = needs_both_ways | needs_no_loss,
    .exchange = check_unread_call,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
