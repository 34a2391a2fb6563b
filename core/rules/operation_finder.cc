#include "rules/operation_finder.h"

#include "rpcrdma/header.h"

namespace steertag::rules {

const std::string& OperationFinder::of(const flow::Exchange& exchange) {
  reader_.read(exchange, subject_);
  return subject_.op;
}

const std::string& OperationFinder::of(const flow::Message& message) {
  if (message.rpc != nullptr && message.rpc->call()) {
    return of_call(message);
  }
  const flow::Exchange* call =
      message.standing->open != nullptr ? message.standing->open : message.standing->own;
  return call != nullptr ? of(*call) : none();
}

const std::string& OperationFinder::of(const flow::Access& access) {
  return access.exchange != nullptr ? of(*access.exchange) : none();
}

// Read as that of the Exchange that it may open: its inline bytes, with room for what its Read chunks bring.
const std::string& OperationFinder::of_call(const flow::Message& message) {
  made_.reset();
  made_.call = message.at;
  made_.call_inline.assign(message.payload.begin(), message.payload.end());
  made_.call_inline_length = message.payload_length;
  made_.procedure = {message.rpc->program, message.rpc->version, message.rpc->procedure};
  for (const rpcrdma::ReadSegment& read : message.header->chunks.reads) {
    flow::SegmentFlow& segment = made_.segments.add();
    segment = {};
    segment.position = read.position;
    segment.target = read.target;
  }
  return of(made_);
}

}  // namespace steertag::rules
