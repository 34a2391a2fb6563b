// Config: what a configuration file (steertag.toml) or a baseline says, and how it is written down as TOML.
// What a file does not mention is unset. toml.h reads it, configure.h finds it and puts it together with the
// command line. A baseline is a configuration that holds nothing but [[known]] entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "product/policy.h"
#include "report/known.h"
#include "rules/rule.h"

namespace steertag::host {

struct Config {
  using Words = std::optional<std::vector<std::string>>;
  using Ports = std::optional<std::vector<uint16_t>>;

  std::optional<std::string> profile, fail_on;
  std::optional<bool> strict, strict_baseline, checksums;
  Words select, ignore, require;
  Words baselines;  // paths, or names of profiles
  Ports ports, udp_ports, vxlan_ports, geneve_ports;
  std::optional<double> settle, skew, answer_within;
  product::Severities severity;
  std::vector<report::Known> known;

  // Nothing but what is known.
  bool baseline() const;
};

// A string as TOML writes it, on one line, with its quotes; what nobody would see is escaped, and what is not
// UTF-8 becomes U+FFFD.
std::string toml_string(std::string_view text);
// A [[known]] entry.
std::string toml_known(const report::Known& known);
// All of it; what it says is read again as it is.
std::string toml(const Config& config);

// What a [severity] may be: "error", "warning", "note"; unset for any other word, such as "off".
std::optional<rules::Severity> severity_named(std::string_view word);

}  // namespace steertag::host
