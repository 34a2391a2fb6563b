#include "flow/exchange.h"

namespace steertag::flow {

namespace {

constexpr size_t kMostKept = 64;  // segments that an Exchange keeps memory for

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
  call_inline.clear();
  reply_inline.clear();
}

size_t Exchange::bytes() const {
  const size_t headers = call_message.header.chunks.segments() + reply_message.header.chunks.segments();
  return segments.size() * sizeof(SegmentFlow) + headers * sizeof(rpcrdma::ReadSegment) +
         call_inline.capacity() + reply_inline.capacity();
}

std::optional<double> latency_us(const Exchange& exchange) {
  if (!exchange.call || !exchange.reply) {
    return std::nullopt;
  }
  return static_cast<double>(exchange.reply->time_ns - exchange.call->time_ns) / 1000.0;
}

}  // namespace steertag::flow
