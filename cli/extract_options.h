// ExtractOptions: what steertag extract is asked for: findings, RPCs, connections, frames.
// product/extract.h says what the options mean together; this
// is how they are read from the command line.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "product/extract.h"
#include "rpc_options.h"
#include "rule_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct ExtractOptions : product::ExtractOptions {
  ReadingOptions reading;
  XidTexts xids;
  std::vector<std::string> finding_texts;

  void prepare();  // throws Failure
};

void add_extract_options(CLI::App& command, ExtractOptions& options);

}  // namespace steertag::cli
