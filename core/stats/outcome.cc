#include "stats/outcome.h"

#include <fmt/core.h>

#include "rpcrdma/header.h"
#include "rpcrdma/rpc.h"

namespace steertag::stats {

Carried carried(const flow::Exchange& exchange) {
  Carried bytes{exchange.call_inline_length, exchange.reply_inline_length};
  for (const flow::SegmentFlow& flow : exchange.segments) {
    (flow.kind == flow::ChunkKind::read ? bytes.arguments : bytes.results) += flow.moved().total();
  }
  return bytes;
}

Carried lengths(const flow::Exchange& exchange) {
  const Carried seen = carried(exchange);
  return {exchange.subject.arguments_length.value_or(seen.arguments),
          exchange.subject.results_length.value_or(seen.results)};
}

bool failed(const flow::Exchange& exchange) {
  return exchange.status == flow::Status::transport_error ||
         (exchange.answer && !exchange.answer->succeeded()) || exchange.subject.nfs_status.value_or(0) != 0;
}

std::string failure(const flow::Exchange& exchange) {
  if (exchange.status == flow::Status::transport_error) {
    return exchange.error ? rpcrdma::error_name(exchange.error_version, *exchange.error) : "transport error";
  }
  if (exchange.answer && !exchange.answer->succeeded()) {
    return rpcrdma::refusal(*exchange.answer);
  }
  return exchange.subject.nfs_status_name.empty()
             ? fmt::format("status {}", exchange.subject.nfs_status.value_or(0))
             : std::string(exchange.subject.nfs_status_name);
}

}  // namespace steertag::stats
