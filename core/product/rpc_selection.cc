#include "product/rpc_selection.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/counted.h"
#include "report/select.h"
#include "stats/outcome.h"

namespace steertag::product {
namespace {

bool among(const std::vector<std::string>& wanted, const track::Connection& connection, rdma::Side side) {
  return std::find(wanted.begin(), wanted.end(), connection.end(side).address.text()) != wanted.end();
}

}  // namespace

std::optional<std::string> Filter::missing(const std::vector<uint32_t>& announced) const {
  const auto known = [&](uint32_t n) {
    return std::find(announced.begin(), announced.end(), n) != announced.end();
  };
  const auto absent = std::find_if_not(connections.begin(), connections.end(), known);
  if (absent == connections.end()) {
    return std::nullopt;
  }
  const size_t seen = announced.size();
  const uint32_t last = seen == 0 ? 0 : *std::max_element(announced.begin(), announced.end());
  return fmt::format("--conn: no connection {}; {} of RPC-over-RDMA {} found{}", *absent,
                     seen == 0 ? "none" : base::counted(seen, "connection"),
                     seen == 1 || seen == 0 ? "was" : "were",
                     last == seen ? "" : fmt::format(", numbered up to {}", last));
}

bool Filter::wants_connection(uint32_t number) const {
  return connections.empty() ||
         std::find(connections.begin(), connections.end(), number) != connections.end();
}

bool Filter::wants_xid(uint32_t xid) const {
  return xids.empty() || std::find(xids.begin(), xids.end(), xid) != xids.end();
}

bool RpcChoice::wants(const flow::Exchange& exchange) const {
  if (incomplete && exchange.status == flow::Status::complete && exchange.complete) {
    return false;
  }
  if (failed && !stats::failed(exchange)) {
    return false;
  }
  const auto any = [&](const std::vector<std::string>& names, auto has) {
    return names.empty() || std::any_of(names.begin(), names.end(),
                                        [&](const std::string& name) { return has(exchange, name); });
  };
  return any(procedures, report::has_procedure) && any(operations, report::has_operation);
}

bool RpcChoice::wants(const flow::Negotiation& one) const {
  return procedures.empty() && operations.empty() &&
         !(incomplete && one.status == flow::Status::complete && one.complete) &&
         !(failed && one.status != flow::Status::transport_error);
}

bool RpcBounds::wants(const track::Connection& connection) const {
  if (!connection.client) {
    return true;
  }
  const rdma::Side client = *connection.client;
  return (clients.empty() || among(clients, connection, client)) &&
         (servers.empty() || among(servers, connection, rdma::other(client)));
}

bool RpcBounds::within(int64_t time_ns, int64_t origin_ns) const {
  return !(from && time_ns < from->since_epoch(origin_ns)) && !(to && time_ns >= to->since_epoch(origin_ns));
}

bool RpcBounds::wants(const flow::Exchange& exchange, int64_t origin_ns) const {
  const bool of_ends = clients.empty() && servers.empty();
  if (!of_ends && (!exchange.connection->client || !wants(*exchange.connection))) {
    return false;
  }
  const std::optional<Stamp>& begin = exchange.call ? exchange.call : exchange.reply;
  if (begin ? !within(begin->time_ns, origin_ns) : from || to) {
    return false;
  }
  return !min_latency || flow::waited_ns(exchange).value_or(-1) >= *min_latency;
}

bool RpcBounds::wants(const flow::Negotiation& one, int64_t origin_ns) const {
  const Stamp& begin = one.call ? *one.call : *one.reply;
  const int64_t end_ns = one.reply ? one.reply->time_ns : one.connection->last_frame.time_ns;
  return within(begin.time_ns, origin_ns) && !(min_latency && end_ns - begin.time_ns < *min_latency);
}

bool RpcSelection::wants(const track::Connection& connection) const {
  return filter.wants_connection(connection.number) && bounds.wants(connection);
}

bool RpcSelection::wants(const flow::Exchange& exchange, int64_t origin_ns) const {
  return filter.wants_connection(exchange.connection->number) && filter.wants_xid(exchange.xid) &&
         choice.wants(exchange) && bounds.wants(exchange, origin_ns);
}

bool RpcSelection::wants(const flow::Negotiation& one, int64_t origin_ns) const {
  return wants(*one.connection) && filter.wants_xid(one.xid) && choice.wants(one) &&
         bounds.wants(one, origin_ns);
}

}  // namespace steertag::product
