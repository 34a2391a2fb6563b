#include "flow/exchange.h"

#include "base/digest.h"

namespace steertag::flow {
namespace {

constexpr size_t kMostKept = 64;           // segments that an Exchange keeps memory for ...
constexpr size_t kMostPayloadKept = 4096;  // ... and bytes of payload, of the Call and of the Reply

void reset(KeptMessage& leg) {
  leg.kept = false;
  if (leg.header.chunks.segments() > kMostKept) {
    leg.header = {};
  }
}

}  // namespace

void Exchange::reset() {
  static_cast<ExchangeFacts&>(*this) = {};
  for (SegmentFlow& segment : segments) {
    segment = {};
  }
  segments.clear();
  segments.shrink(kMostKept);
  flow::reset(call_message);
  flow::reset(reply_message);
  subject.clear();
  subject.ops.shrink(kMostKept);
  if (timeline.used) {
    timeline = {};
    timing = {};
  }
  for (std::vector<uint8_t>* payload : {&call_inline, &reply_inline}) {
    payload->clear();
    if (payload->capacity() > kMostPayloadKept) {
      payload->shrink_to_fit();
    }
  }
}

size_t Exchange::bytes() const {
  // A vector that has grown has room for half as many again, on the average.
  const size_t headers = call_message.header.chunks.segments() + reply_message.header.chunks.segments();
  return segments.bytes() + headers * (sizeof(rpcrdma::ReadSegment) * 3 / 2) + call_inline.capacity() +
         reply_inline.capacity() + subject.ops.bytes();
}

uint64_t body_digest(Bytes payload, const rpcrdma::RpcHeader* rpc, const rpcrdma::RpcDecoded& decoded) {
  if (rpc == nullptr || !rpc->call() || decoded.stop) {
    return base::digest(slice(payload, 4));
  }
  const Range& credential = rpc->credential.at;
  const uint64_t front = base::digest(slice(payload, 4, credential.offset - 4));
  return front * 0x9E3779B97F4A7C15u + base::digest(slice(payload, credential.end()));
}

uint64_t body_digest(const Exchange& exchange) {
  const KeptMessage& call = exchange.call_message;
  return call.body_digest
             ? *call.body_digest
             : body_digest(exchange.call_inline, call.has_rpc ? &call.rpc : nullptr, call.rpc_decoded);
}

bool never_accepted(const Exchange& exchange) {
  constexpr int64_t kPatienceNs = 1'000'000'000;
  return !exchange.timeline.reply_accepted && exchange.timeline.reply_repeated_ns >= kPatienceNs;
}

std::optional<int64_t> waited_ns(const Exchange& exchange) {
  const Timing& timing = exchange.timing;
  for (const auto& known : {timing.total_ns, timing.delivered_ns, timing.unanswered_ns}) {
    if (known) {
      return known;
    }
  }
  return exchange.call && exchange.reply && !never_accepted(exchange)
             ? std::optional(exchange.reply->time_ns - exchange.call->time_ns)
             : std::nullopt;
}

std::optional<double> latency_us(const Exchange& exchange) {
  if (!exchange.call || !exchange.reply) {
    return std::nullopt;
  }
  return static_cast<double>(exchange.reply->time_ns - exchange.call->time_ns) / 1000.0;
}

}  // namespace steertag::flow
