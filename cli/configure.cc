#include "configure.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "config_file.h"
#include "failure.h"
#include "toml.h"

namespace steertag::cli {
namespace {

bool given(const ReadingOptions& reading, const std::string& option) {
  const CLI::Option* const found = reading.command->get_option_no_throw(option);
  return found != nullptr && found->count() != 0;
}

// Puts what a configuration says where the command line says nothing.
class Filler {
 public:
  explicit Filler(const ReadingOptions& reading) : reading_(reading) {}

  template <typename Value, typename Configured>
  void fill(const char* option, Value& value, const std::optional<Configured>& configured) const {
    if (configured && !given(reading_, option)) {
      value = *configured;
    }
  }

 private:
  const ReadingOptions& reading_;
};

// A configuration, with the paths in it as this run has to name them.
Config config_from(const std::string& path, Named named) {
  Config config = read_config(read_file(path, named), path);
  if (config.baselines) {
    const std::string home = home_of(path);
    for (std::string& baseline : *config.baselines) {
      baseline = resolved(baseline, home == "." ? "" : home);
    }
  }
  return config;
}

void add_known(report::KnownList& list, std::vector<report::Known> known) {
  for (report::Known& one : known) {
    list.add(std::move(one));
  }
}

void add_known_of(report::KnownList& list, const std::string& path, Named named) {
  Config baseline = read_config(read_file(path, named), path);
  if (!baseline.baseline()) {
    throw Failure(path + ": is a configuration, not a baseline: it says more than what is known");
  }
  add_known(list, std::move(baseline.known));
}

bool same_path(const std::string& a, const std::string& b) {
  return !b.empty() && absolute(a) == absolute(b);
}

// What has to do with rules, and with how captures are read.
void fill_in(const Config& config, RuleOptions& rules, ReadingOptions& reading) {
  const Filler filler(reading);
  filler.fill("--profile", rules.profile, config.profile);
  filler.fill("--strict", rules.strict, config.strict);
  filler.fill("--fail-on", rules.fail_on, config.fail_on);
  filler.fill("--select", rules.select, config.select);
  filler.fill("--ignore", rules.ignore, config.ignore);
  filler.fill("--require", rules.require, config.require);
  filler.fill("--strict-baseline", rules.strict_baseline, config.strict_baseline);
  filler.fill("--port", reading.ports, config.ports);
  filler.fill("--udp-port", reading.udp_ports, config.udp_ports);
  filler.fill("--vxlan-port", reading.vxlan_ports, config.vxlan_ports);
  filler.fill("--geneve-port", reading.geneve_ports, config.geneve_ports);
  filler.fill("--checksums", reading.checksums, config.checksums);
  filler.fill("--settle", reading.settle, config.settle);
  filler.fill("--skew", reading.skew_ms, config.skew);
}

}  // namespace

void add_config_options(CLI::App& command, RuleOptions& rules) {
  command
      .add_option("--config", rules.config,
                  "the configuration (TOML), or the name of a profile\n(linux-6.1); otherwise steertag.toml "
                  "beside the\ncaptures or above")
      ->type_name("FILE");
  command.add_flag("--no-config", rules.no_config, "no steertag.toml is looked for");
}

void add_baseline_options(CLI::App& command, RuleOptions& rules) {
  command
      .add_option("--baseline", rules.baselines,
                  "what is known and accepted, as steertag baseline\nwrites it, or the name of a profile; as "
                  "often as wanted")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.add_flag("--strict-baseline", rules.strict_baseline,
                   "exit with 1 where something that is known is found no\nmore");
}

void configure(RuleOptions& rules, ReadingOptions& reading, const std::string& but) {
  if (!rules.config.empty() && rules.no_config) {
    throw Failure("--no-config: not together with --config");
  }
  const bool looks = rules.config.empty() && !rules.no_config;
  if (!rules.config.empty()) {
    rules.config = resolved(rules.config, "");
  } else if (looks) {
    rules.config = found_config(reading.captures).value_or("");
  }
  for (std::string& baseline : rules.baselines) {
    baseline = resolved(baseline, "");
  }
  Named named = Named::by_user;
  if (!rules.config.empty()) {
    Config config = config_from(rules.config, looks ? Named::by_file : Named::by_user);
    reading.configured = toml(config);
    reading.told_by.push_back(rules.config);
    fill_in(config, rules, reading);
    rules.severities = config.severity;
    add_known(*rules.known, config.known);
    rules.own_known = std::move(config.known);
    if (config.baselines && !given(reading, "--baseline")) {
      rules.baselines = *config.baselines;
      named = Named::by_file;
    }
  }
  for (const std::string& baseline : rules.baselines) {
    if (!same_path(baseline, but)) {
      add_known_of(*rules.known, baseline, named);
      reading.told_by.push_back(baseline);
    }
  }
}

Config effective(const RuleOptions& rules, const ReadingOptions& reading) {
  const auto list = [](const auto& values) { return values.empty() ? std::nullopt : std::optional(values); };
  Config config;
  config.profile = rules.profile;
  config.strict = rules.strict;
  config.fail_on = rules.fail_on;
  config.select = list(rules.select);
  config.ignore = list(rules.ignore);
  config.require = list(rules.require);
  std::vector<std::string> baselines = rules.baselines;
  std::transform(baselines.begin(), baselines.end(), baselines.begin(), absolute);
  config.baselines = list(baselines);
  config.strict_baseline = rules.strict_baseline;
  config.ports = list(reading.ports);
  config.udp_ports = list(reading.udp_ports);
  config.vxlan_ports = list(reading.vxlan_ports);
  config.geneve_ports = list(reading.geneve_ports);
  config.checksums = reading.checksums;
  config.settle = reading.settle;
  config.skew = reading.skew_ms;
  config.severity = rules.severities;
  config.known = rules.own_known;
  return config;
}

}  // namespace steertag::cli
