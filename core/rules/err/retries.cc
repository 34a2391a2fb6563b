// What RDMA2_ERR_CANT_REPLY asks for, and Calls that are retransmitted unchanged.

#include <algorithm>

#include "base/counted.h"
#include "history/refusals.h"
#include "rpcrdma/header.h"
#include "rules/err/defects.h"
#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using rpcrdma::v2::ErrorCode;

const rpcrdma::v2::Error* cant_reply(const rpcrdma::TransportHeader& h) {
  return h.error_v2 && h.error_v2->code == ErrorCode::cant_reply ? &*h.error_v2 : nullptr;
}

// version-two-02 §5.2.4 does not say whether counting goes on in the Reply chunk
// or starts there again. The segments that an index may mean: up to two.
struct Meant {
  const rpcrdma::Segment* segments[2] = {};
  size_t total = 0;  // segments of Write list and Reply chunk
};

Meant meant_by(uint32_t index, const rpcrdma::ChunkLists& chunks) {
  Meant meant;
  size_t in_reply = 0;
  const auto count = [&](const rpcrdma::WriteChunk& chunk, bool reply) {
    for (const rpcrdma::Segment& segment : chunk.target) {
      ++meant.total;
      in_reply += reply ? 1 : 0;
      if (meant.total == index) {
        meant.segments[0] = &segment;
      }
      if (reply && in_reply == index) {
        meant.segments[1] = &segment;
      }
    }
  };
  for (const rpcrdma::WriteChunk& chunk : chunks.writes) {
    count(chunk, false);
  }
  for (const rpcrdma::WriteChunk& chunk : chunks.reply) {
    count(chunk, true);
  }
  return meant;
}

Outcome check_segment_index(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Error* error = cant_reply(*message.header);
  if (error == nullptr) {
    return Outcome::not_applicable;
  }
  if (message.decoded.stop) {
    return Outcome::undecided;
  }
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || !open->call_message.kept) {
    return Outcome::not_applicable;
  }
  if (open->call_message.decoded.stop) {
    return Outcome::undecided;
  }
  const size_t total = meant_by(error->segment_index, open->call_message.header.chunks).total;
  if (error->segment_index > total) {
    report("rdma_segment_index is {}, but the Call has {} to write to", error->segment_index,
           base::counted(total, "segment"))
        .in(field::segment_index)
        .with(*open->call);
  }
  return Outcome::done;
}

// The Call travels in a Position-Zero Read chunk, of which nothing was asked for.
bool never_read(const flow::Exchange& exchange) {
  const auto untouched = [](const flow::SegmentFlow& segment) {
    const bool of_call = segment.kind == flow::ChunkKind::read && segment.position == 0;
    return !of_call || (segment.requested().total() == 0 && segment.moved().total() == 0);
  };
  return exchange.call_message.header.is_nomsg() &&
         exchange.call_message.header.chunks.position_zero_length() != 0 && exchange.resent == 0 &&
         std::all_of(exchange.segments.begin(), exchange.segments.end(), untouched);
}

Outcome check_cant_reply_fields(const flow::Exchange& exchange, Report& report) {
  const rpcrdma::v2::Error* error = cant_reply(exchange.reply_message.header);
  if (!exchange.reply_message.kept || error == nullptr || !exchange.call_message.kept) {
    return Outcome::not_applicable;
  }
  if (exchange.reply_message.decoded.stop || exchange.call_message.decoded.stop) {
    return Outcome::undecided;
  }
  const Meant meant = meant_by(error->segment_index, exchange.call_message.header.chunks);
  const rpcrdma::Segment* first = meant.segments[0];
  const rpcrdma::Segment* other = meant.segments[1];
  const auto fits = [&](const rpcrdma::Segment* segment) {
    return segment != nullptr && error->length_needed <= segment->length;
  };
  if (fits(first) && (other == nullptr || fits(other))) {
    report("rdma_length_needed is {}, but segment {} already has {} bytes", error->length_needed,
           error->segment_index, first->length);
  }
  if (error->segment_index == 0 && error->length_needed != 0) {
    report("rdma_length_needed is {}, but no segment is named", error->length_needed);
  }
  if (error->processed == rpcrdma::XdrBool::no && !exchange.shares_memory && results_written(exchange)) {
    report("rdma_processed is FALSE, although results were written before it");
  }
  if (error->processed == rpcrdma::XdrBool::yes && never_read(exchange)) {
    report("rdma_processed is TRUE, although nothing of the Call was read from its Position-Zero Read chunk")
        .at_most(Certainty::likely);
  }
  return Outcome::done;
}

// On an earlier connection a Reply that would have ended the matter may have gone unseen.
Certainty surest(const history::Refusal& refusal, const flow::Message& call) {
  return refusal.opened == call.connection->first_frame ? Certainty::definite : Certainty::likely;
}

// A larger chunk is what the error asked for.
Outcome check_retry_no_larger(const flow::Message& message, Report& report) {
  const history::Refusal* refusal = message.standing->refusal;
  const bool asked = refusal != nullptr && refusal->resources.version == 2 &&
                     refusal->code == static_cast<uint32_t>(ErrorCode::cant_reply);
  if (!asked) {
    return Outcome::not_applicable;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  const history::Resources now = history::resources_of(*message.header, message.decoded);
  const bool more = now.written > refusal->resources.written || now.replied > refusal->resources.replied;
  const bool same_xid = refusal->xid == message.header->xid;
  // Without more room a Call under another XID is another RPC, and with it perhaps: a caller may have tried
  // again, and is likely to where the error does not say what was too small. Where the Requester has retried
  // under the same XID already, it is.
  if (more && !same_xid && !refusal->without_hint && !refusal->tried_again && message.header->version == 2) {
    report("Call rejected by RDMA2_ERR_CANT_REPLY is retried with more room, but not with its XID {:#010x}",
           refusal->xid)
        .in(field::xid)
        .with(refusal->call)
        .with(refusal->error)
        .at_most(Certainty::likely);
  }
  if (!more && same_xid) {
    report("Call is retried with no more room than RDMA2_ERR_CANT_REPLY rejected")
        .with(refusal->call)
        .with(refusal->error)
        .at_most(surest(*refusal, message));
  }
  return Outcome::done;
}

bool is_permanent(const history::Refusal& refusal) {
  return refusal.resources.version == 1 ? refusal.code == static_cast<uint32_t>(rpcrdma::v1::ErrorCode::chunk)
                                        : refusal.code == static_cast<uint32_t>(ErrorCode::bad_xdr) ||
                                              refusal.code == static_cast<uint32_t>(ErrorCode::inval_proc);
}

Outcome check_hopeless_retry(const flow::Message& message, Report& report) {
  constexpr uint32_t kForgiven = 1;  // one more attempt is no loop
  const history::Refusal* refusal = message.standing->refusal;
  if (refusal == nullptr || !is_permanent(*refusal)) {
    return Outcome::not_applicable;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  const bool same = history::resources_of(*message.header, message.decoded) == refusal->resources;
  if (same && refusal->times > kForgiven) {
    const bool other_xid = refusal->xid != message.header->xid;  // an application may have asked again
    report("Call is {} after {} answers of {}",
           other_xid ? "sent again unchanged under another XID" : "retransmitted unchanged", refusal->times,
           rpcrdma::error_name(refusal->resources.version, refusal->code))
        .with(refusal->call)
        .with(refusal->error)
        .at_most(other_xid ? Certainty::likely : Certainty::definite)
        .at_most(surest(*refusal, message));
  }
  return Outcome::done;
}

// RFC 8267 §3.1. Version two reuses the XID of a Call that RDMA2_ERR_CANT_REPLY rejected.
Outcome check_retry_xid(const flow::Message& message, Report& report) {
  const history::Refusal* refusal = message.standing->refusal;
  if (refusal == nullptr || refusal->resources.version != 1 || message.header->version != 1 ||
      !is_permanent(*refusal)) {
    return Outcome::not_applicable;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  const history::Resources now = history::resources_of(*message.header, message.decoded);
  if (now.replied <= refusal->resources.replied) {
    return Outcome::not_applicable;
  }
  if (refusal->xid == message.header->xid) {
    report("Call is retried with more room for its Reply, but with the XID that ERR_CHUNK answered")
        .in(field::xid)
        .with(refusal->call)
        .with(refusal->error)
        .at_most(surest(*refusal, message));
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule segment_index = {
    .id = "ERR-08",
    .name = "segment-index-out-of-range",
    .source = {"version-two-02", "5.2.4"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::errors & kinds::version_two,
    .message = check_segment_index,
};

constinit const Rule cant_reply_fields = {
    .id = "ERR-09",
    .name = "implausible-cant-reply",
    .severity = Severity::warning,
    .source = {"version-two-02", "5.2.4"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls & kinds::version_two,
    .message = check_retry_no_larger,
    .exchange = check_cant_reply_fields,
    .plain_exchange = plain::never,
};

constinit const Rule hopeless_retry = {
    .id = "ERR-10",
    .name = "refused-call-repeated",
    .severity = Severity::warning,
    .source = {"RFC 8166", "4.5"},
    .also = "rfc8267,version-two-02",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls,
    .message = check_hopeless_retry,
    .plain_message = plain::never,
};

constinit const Rule retry_xid = {
    .id = "ERR-13",
    .name = "retry-under-answered-xid",
    .severity = Severity::note,
    .source = {"RFC 8267", "3.1"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls & kinds::version_one,
    .message = check_retry_xid,
    .plain_message = plain::never,
};

}  // namespace steertag::rules
