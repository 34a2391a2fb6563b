// Configuring a run: which configuration file is for it, and what that says put together with the command
// line. --config names it, or a profile that is shipped (profiles/); otherwise steertag.toml is looked for
// (found_config.h). What the command line says wins, option by option: a list replaces a
// list. All of it is read before the sandbox is entered.
#pragma once

#include <string>

#include "host/config.h"
#include "options.h"
#include "product/policy.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

// --config, --no-config: of every command that has rules behind it.
void add_config_options(CLI::App& command, product::Policy& policy, ReadingOptions& reading);
// --baseline, --strict-baseline
void add_baseline_options(CLI::App& command, product::Policy& policy, ReadingOptions& reading);

// Reads the configuration and all baselines, and fills in what the command line leaves open. Throws Failure.
// `but`: a baseline that is not read, since it is about to be written.
void configure(product::Policy& policy, ReadingOptions& reading, const std::string& but = "");

// What is in force after that.
host::Config effective(const product::Policy& policy, const ReadingOptions& reading);

}  // namespace steertag::cli
