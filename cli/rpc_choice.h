// RpcChoice: which RPCs are wanted, by what they were about and how they ended,
// as --op, --procedure, --failed and --incomplete say: a part of the RpcSelection
// (rpc_selection.h).
#pragma once

#include <string>
#include <vector>

#include "event.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct RpcChoice {
  std::vector<std::string> procedures, operations;  // by name; empty: all
  bool incomplete = false;
  bool failed = false;

  void check_names() const;  // throws Failure where nothing has that name
  bool wants(const flow::Exchange& exchange) const;
  bool wants(const flow::Negotiation& negotiation) const;
};

void add_choice_options(CLI::App& command, RpcChoice& choice);

}  // namespace steertag::cli
