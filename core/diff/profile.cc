#include "diff/profile.h"

#include <algorithm>
#include <tuple>

namespace steertag::diff {
namespace {

// Of ways to fail that are one too many, and of no Reply.
constexpr const char* kFurther = "other failures";
constexpr const char* kNoReply = "no Reply";

void raise(std::optional<uint32_t>& most, const std::optional<uint32_t>& value) {
  if (value) {
    most = std::max(most.value_or(0), *value);
  }
}

}  // namespace

void Failed::add(const Failed& other) {
  const auto place = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
  if (rpcs == 0 || (other.rpcs != 0 && place(other.first) < place(first))) {
    first = other.first;
  }
  rpcs += other.rpcs;
}

void OperationProfile::add(const stats::Rpc& rpc) {
  totals.add(rpc);
  if (rpc.failed) {
    add(rpc.failure, {1, rpc.began});
  } else if (rpc.waited_in_vain_ns().value_or(0) >= Profile::kInVainNs) {
    add(kNoReply, {1, rpc.began});
  }
}

void OperationProfile::add(const OperationProfile& other) {
  totals.add(other.totals);
  for (const auto& [failure, failed] : other.failures) {
    add(failure, failed);
  }
  usage.add(other.usage);
}

void OperationProfile::add(const std::string& failure, const Failed& failed) {
  const bool room = failures.size() < kMaxFailures || failures.contains(failure);
  failures[room ? failure : kFurther].add(failed);
}

void ConnectionsProfile::add(const track::Connection& connection) {
  ++connections;
  ++transports[static_cast<size_t>(connection.transport)];
  ++versions[connection.version < versions.size() ? connection.version : 0];
  raise(granted, connection.end(connection.client.value_or(rdma::Side::a)).credits.granted_max);
  for (const track::End& end : connection.ends) {
    retransmitted += end.retransmissions;
    naks += end.naks;
    rnr_naks += end.rnr_naks;
  }
}

void ConnectionsProfile::add(const ConnectionsProfile& other) {
  connections += other.connections;
  for (size_t i = 0; i < transports.size(); ++i) {
    transports[i] += other.transports[i];
  }
  for (size_t i = 0; i < versions.size(); ++i) {
    versions[i] += other.versions[i];
  }
  raise(granted, other.granted);
  raise(requested, other.requested);
  retransmitted += other.retransmitted;
  naks += other.naks;
  rnr_naks += other.rnr_naks;
}

OperationProfile& Profile::of(const stats::Operation& operation) {
  const auto found = operations_.find(operation);
  if (found != operations_.end()) {
    return found->second;
  }
  return operations_.size() < kMaxOperations ? operations_[operation] : further_;
}

void Profile::add(const stats::Rpc& rpc) {
  ++rpcs_;
  of(rpc.operation).add(rpc);
}

void Profile::add(const flow::Exchange& exchange) {
  of(stats::operation_of(exchange)).usage.add(exchange);
}

void Profile::note(const flow::Message& message) {
  const std::optional<rdma::Side> client = message.connection->client;
  if (message.header != nullptr && message.direction == flow::Direction::call &&
      (!client || *client == message.from)) {
    raise(connections_.requested, message.header->credit);
  }
}

void Profile::close(const track::Connection& connection) {
  if (connection.rpcrdma) {
    connections_.add(connection);
  }
}

void Profile::take_over(const Profile& share) {
  for (const auto& [operation, theirs] : share.operations_) {
    of(operation).add(theirs);
  }
  further_.add(share.further_);
  connections_.add(share.connections_);
  rpcs_ += share.rpcs_;
}

}  // namespace steertag::diff
