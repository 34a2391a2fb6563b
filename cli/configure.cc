#include "configure.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/sha256.h"
#include "host/config_file.h"
#include "host/failure.h"
#include "host/found_config.h"
#include "host/toml.h"
#include "rule_options.h"

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
  // A budget on the command line is no severity.
  void fill_fail_on(product::Policy& policy, const host::Config& config) const {
    const CLI::Option* const found = reading_.command->get_option_no_throw("--fail-on");
    const bool said = found != nullptr && std::ranges::any_of(found->results(), is_severity);
    if (config.fail_on && !said) {
      policy.fail_on = *config.fail_on;
    }
  }

 private:
  const ReadingOptions& reading_;
};

void add_known(report::KnownList& list, std::vector<report::Known> known) {
  for (report::Known& one : known) {
    list.add(std::move(one));
  }
}

// Reads the configuration and the baselines, and notes each.
class Policies {
 public:
  Policies(product::Policy& policy, ReadingOptions& reading) : policy_(policy), reading_(reading) {}

  // By the command line, or found; nothing where there is none.
  std::optional<host::Config> config() {
    if (!policy_.config.empty()) {
      const host::PolicyPath named = host::resolved(policy_.config, "");
      policy_.config = named.path;
      return noted(host::read_file(named.path, host::Named::by_user), Kind::configuration, named);
    }
    found_ = reading_.sources.no_config ? std::nullopt : host::found_config();
    if (!found_) {
      return std::nullopt;
    }
    policy_.config = found_->path;
    return noted(found_->text, Kind::configuration, {found_->path});
  }

  // What --baseline names.
  void name_baselines() {
    for (std::string& name : reading_.sources.baselines) {
      baselines_.push_back({name, host::resolved(name, "")});
      name = baselines_.back().place.path;
    }
  }
  // What the configuration names.
  void name_baselines(const std::vector<std::string>& names) {
    reading_.sources.baselines.clear();
    const std::string home = found_ ? host::home_of(found_->path) : host::home_of(policy_.config);
    by_config_ = true;
    for (const std::string& name : names) {
      if (found_) {
        host::refuse_leading_out(*found_, name);
      }
      baselines_.push_back({name, host::resolved(name, home == "." ? "" : home)});
      reading_.sources.baselines.push_back(baselines_.back().place.path);
    }
  }

  void read_baselines(const std::string& but) {
    for (const Baseline& baseline : baselines_) {
      const std::string& path = baseline.place.path;
      if (but.empty() || host::absolute(path) != host::absolute(but)) {
        host::Config read = noted(text_of(baseline), Kind::baseline, baseline.place);
        if (!read.baseline()) {
          throw host::Failure(path + ": is a configuration, not a baseline: it says more than what is known");
        }
        add_known(*policy_.known, std::move(read.known));
      }
    }
  }

 private:
  using Kind = report::PolicyFile::Kind;
  struct Baseline {
    std::string name;  // as it was given
    host::PolicyPath place;
  };

  std::string text_of(const Baseline& baseline) const {
    return found_ && by_config_ && !baseline.place.profile
               ? host::read_found_baseline(*found_, baseline.name)
               : host::read_file(baseline.place.path,
                                 by_config_ ? host::Named::by_file : host::Named::by_user);
  }
  host::Config noted(const std::string& text, Kind kind, const host::PolicyPath& place) {
    reading_.told_by.push_back(
        {.kind = place.profile ? Kind::profile : kind, .file = place.path, .sha256 = base::sha256(text)});
    return host::read_config(text, place.path);
  }

  product::Policy& policy_;
  ReadingOptions& reading_;
  std::optional<host::FoundConfig> found_;
  std::vector<Baseline> baselines_;
  bool by_config_ = false;  // they are named by the configuration
};

// What has to do with rules, and with how captures are read.
void fill_in(const host::Config& config, product::Policy& policy, ReadingOptions& reading) {
  const Filler filler(reading);
  filler.fill("--profile", policy.profile, config.profile);
  filler.fill("--strict", policy.strict, config.strict);
  filler.fill_fail_on(policy, config);
  filler.fill("--select", policy.select, config.select);
  filler.fill("--ignore", policy.ignore, config.ignore);
  filler.fill("--require", policy.require, config.require);
  filler.fill("--strict-baseline", policy.strict_baseline, config.strict_baseline);
  filler.fill("--port", reading.ports, config.ports);
  filler.fill("--udp-port", reading.udp_ports, config.udp_ports);
  filler.fill("--vxlan-port", reading.vxlan_ports, config.vxlan_ports);
  filler.fill("--geneve-port", reading.geneve_ports, config.geneve_ports);
  filler.fill("--checksums", reading.checksums, config.checksums);
  filler.fill("--settle", reading.settle, config.settle);
  filler.fill("--skew", reading.skew_ms, config.skew);
  filler.fill("--answer-within", policy.answer_within, config.answer_within);
}

}  // namespace

void add_config_options(CLI::App& command, product::Policy& policy, ReadingOptions& reading) {
  command
      .add_option(
          "--config", policy.config,
          "the configuration (TOML), or the name of a profile\n(linux-6.1); otherwise steertag.toml in "
          "the working\ndirectory or above, up to the root of the repository\nor $HOME, if nobody else "
          "could have written it; never\nfrom beside the captures")
      ->type_name("FILE");
  command.add_flag("--no-config", reading.sources.no_config, "no steertag.toml is looked for");
}

void add_baseline_options(CLI::App& command, product::Policy& policy, ReadingOptions& reading) {
  command
      .add_option("--baseline", reading.sources.baselines,
                  "what is known and accepted, as steertag baseline\nwrites it, or the name of a profile; as "
                  "often as wanted")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command.add_flag("--strict-baseline", policy.strict_baseline,
                   "exit with 1 where something that is known is found no\nmore");
}

void configure(product::Policy& policy, ReadingOptions& reading, const std::string& but) {
  if (!policy.config.empty() && reading.sources.no_config) {
    throw host::Failure("--no-config: not together with --config");
  }
  Policies policies(policy, reading);
  policies.name_baselines();
  if (std::optional<host::Config> config = policies.config()) {
    reading.configured = host::toml(*config);
    fill_in(*config, policy, reading);
    policy.severities = config->severity;
    add_known(*policy.known, config->known);
    reading.sources.own_known = std::move(config->known);
    if (config->baselines && !given(reading, "--baseline")) {
      policies.name_baselines(*config->baselines);
    }
  }
  policies.read_baselines(but);
}

host::Config effective(const product::Policy& policy, const ReadingOptions& reading) {
  const auto list = [](const auto& values) { return values.empty() ? std::nullopt : std::optional(values); };
  host::Config config;
  config.profile = policy.profile;
  config.strict = policy.strict;
  config.fail_on = policy.fail_on;
  config.select = list(policy.select);
  config.ignore = list(policy.ignore);
  config.require = list(policy.require);
  std::vector<std::string> baselines = reading.sources.baselines;
  std::transform(baselines.begin(), baselines.end(), baselines.begin(), host::absolute);
  config.baselines = list(baselines);
  config.strict_baseline = policy.strict_baseline;
  config.ports = list(reading.ports);
  config.udp_ports = list(reading.udp_ports);
  config.vxlan_ports = list(reading.vxlan_ports);
  config.geneve_ports = list(reading.geneve_ports);
  config.checksums = reading.checksums;
  config.settle = reading.settle;
  config.skew = reading.skew_ms;
  config.answer_within = policy.answer_within;
  config.severity = policy.severities;
  config.known = reading.sources.own_known;
  return config;
}

}  // namespace steertag::cli
