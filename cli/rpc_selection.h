// RpcSelection: which RPCs are wanted, by all options that choose some of them: of which connection and with
// which XID (Filter), what they were about (RpcChoice), when and between whom (RpcBounds). The commands that
// tell of RPCs one by one or all together choose them alike.
#pragma once

#include <cstdint>

#include "event.h"
#include "options.h"
#include "rpc_bounds.h"
#include "rpc_choice.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct RpcSelection {
  Filter filter;
  RpcChoice choice;
  RpcBounds bounds;

  void prepare();  // throws Failure where an option makes no sense
  // Whether RPCs of it may be wanted, as far as is known of its ends.
  bool wants(const track::Connection& connection) const;
  // `origin_ns`: the first frame.
  bool wants(const flow::Exchange& exchange, int64_t origin_ns) const;
  bool wants(const flow::Negotiation& negotiation, int64_t origin_ns) const;
};

void add_selection_options(CLI::App& command, RpcSelection& selection);

}  // namespace steertag::cli
