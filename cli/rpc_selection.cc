#include "rpc_selection.h"

namespace steertag::cli {

void RpcSelection::prepare() {
  filter.prepare();
  choice.check_names();
  bounds.prepare();
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

void add_selection_options(CLI::App& command, RpcSelection& selection) {
  add_filter_options(command, selection.filter);
  add_choice_options(command, selection.choice);
  add_bounds_options(command, selection.bounds);
}

}  // namespace steertag::cli
