// The options that choose RPCs by when they were sent, between whom, and how long they were waited for:
// --from,
// --to, --client, --server, --min-latency. They are a part of those of rpc_options.h, which also declares how
// times are read.
#pragma once

#include "product/rpc_selection.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

void add_bounds_options(CLI::App& command, product::RpcBounds& bounds);
void prepare(product::RpcBounds& bounds);  // throws Failure where an address is none

}  // namespace steertag::cli
