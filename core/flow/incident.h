// Incident: something that went wrong below RPC-over-RDMA, or is missing from the
// capture: a receiver's complaint (NAK, RNR NAK, Terminate), or an Anomaly, which is
// a breach of the RDMA protocols or packets that were not captured.
#pragma once

#include <optional>
#include <variant>

#include "flow/exchange.h"
#include "flow/standing.h"
#include "frame.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

// A Send With Invalidate: what it invalidated, in which message.
struct Invalidation {
  uint32_t handle = 0;
  uint32_t xid = 0;
  Stamp at;
};

struct Incident {
  const track::Connection* connection = nullptr;
  std::variant<rdma::Fault, rdma::Anomaly> what;
  std::optional<Invalidation> invalidation = {};  // fault: the latest one sent to the end that complains
  // Fault: the newest Call, of either side, that had been answered. Until then nothing was refused for good.
  std::optional<Stamp> served = {};
  int64_t flight_ns = 0;  // fault: so long after it, its receiver may still send without knowing of it
  // Anomaly: what CONF_RDMA has settled of the end that did not cause it (RFC 5666 §6.2).
  std::optional<Configured> configured = {};

  const rdma::Fault* fault() const { return std::get_if<rdma::Fault>(&what); }
  const rdma::Anomaly* anomaly() const { return std::get_if<rdma::Anomaly>(&what); }

  rdma::Side from() const { return fault() != nullptr ? fault()->from : std::get<rdma::Anomaly>(what).from; }
  const Stamp& at() const { return fault() != nullptr ? fault()->at : std::get<rdma::Anomaly>(what).at; }
};

}  // namespace steertag::flow
