#include "flow/exchange.h"

namespace steertag::flow {

std::optional<double> latency_us(const Exchange& exchange) {
  if (!exchange.call || !exchange.reply) {
    return std::nullopt;
  }
  return static_cast<double>(exchange.reply->time_ns - exchange.call->time_ns) / 1000.0;
}

}  // namespace steertag::flow
