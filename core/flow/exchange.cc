#include "flow/exchange.h"

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
         reply_inline.capacity();
}

std::optional<double> latency_us(const Exchange& exchange) {
  if (!exchange.call || !exchange.reply) {
    return std::nullopt;
  }
  return static_cast<double>(exchange.reply->time_ns - exchange.call->time_ns) / 1000.0;
}

}  // namespace steertag::flow
