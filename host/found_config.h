// The configuration that nobody named: steertag.toml in the working directory, or in the nearest folder above
// that has one that may be believed (FoundFile in found_config.cc); above the root of the repository, or
// $HOME, nobody looks. Where the captures lie does not matter: others may have made them, and what lies
// beside them. A working directory in no repository and not below $HOME is looked into alone.
#pragma once

#include <optional>
#include <string>

namespace steertag::host {

struct FoundConfig {
  std::string path;    // as the user would write it, where that is shorter
  std::string folder;  // absolute
  std::string text;    // all that it says
};

// Says in a line on standard error which others it passes over, and why. Throws Failure where one that may be
// believed cannot be read.
std::optional<FoundConfig> found_config();

// The text of a baseline that such a configuration names: it lies below its folder, by its name and in truth,
// and may be believed, too. Throws Failure. `name`: as the configuration has it.
std::string read_found_baseline(const FoundConfig& config, const std::string& name);
// Throws Failure where its name already leads out of the folder.
void refuse_leading_out(const FoundConfig& config, const std::string& name);

}  // namespace steertag::host
