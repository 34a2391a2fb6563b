// ExtractOptions: what steertag extract is asked for: findings, RPCs, connections, frames. --xid and --op
// choose RPCs, with --conn those of these connections; --conn alone chooses connections. What --finding and
// --around choose comes on top.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "rpc_choice.h"
#include "rule_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct ExtractOptions {
  struct OfRule {
    std::string rule;               // an id, a family or a name
    std::optional<uint64_t> frame;  // unset: the first one
  };

  ReadingOptions reading;
  RuleOptions rules;
  Filter filter;
  RpcChoice choice;
  std::vector<std::string> finding_texts;
  std::vector<OfRule> findings;
  std::vector<uint64_t> around;  // numbers of frames, of any file

  void prepare();  // throws Failure
  bool chooses_rpcs() const { return !filter.xids.empty() || !choice.operations.empty(); }
  bool whole_connections() const { return !chooses_rpcs() && !filter.connections.empty(); }
};

void add_extract_options(CLI::App& command, ExtractOptions& options);

}  // namespace steertag::cli
