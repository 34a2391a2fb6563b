#include "host/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "report/names.h"

namespace steertag::host {
namespace {

constexpr std::array kSeverities = {rules::Severity::error, rules::Severity::warning, rules::Severity::note};

void put_key(std::string& out, std::string_view key, std::string_view value) {
  out += fmt::format("{} = {}\n", key, value);
}
void put_text(std::string& out, std::string_view key, const std::optional<std::string>& value) {
  if (value) {
    put_key(out, key, toml_string(*value));
  }
}
void put_flag(std::string& out, std::string_view key, const std::optional<bool>& value) {
  if (value) {
    put_key(out, key, *value ? "true" : "false");
  }
}
void put_seconds(std::string& out, std::string_view key, const std::optional<double>& value) {
  if (value) {
    const std::string text = fmt::format("{}", *value);
    put_key(out, key, text);
  }
}
void put_ports(std::string& out, std::string_view key, const Config::Ports& ports) {
  if (ports) {
    put_key(out, key, fmt::format("[{}]", fmt::join(*ports, ", ")));
  }
}
void put_words(std::string& out, std::string_view key, const Config::Words& words) {
  if (words) {
    std::string list;
    for (const std::string& word : *words) {
      list += (list.empty() ? "" : ", ") + toml_string(word);
    }
    put_key(out, key, "[" + list + "]");
  }
}

// Not as a control or something that is not seen.
void put_character(std::string& out, const base::Utf8& character, std::string_view text) {
  const char c = text[0];
  if (character.length == 0) {
    out += "\\uFFFD";
  } else if (c == '"' || c == '\\') {
    out += {'\\', c};
  } else if (character.point < 0x20 || character.point == 0x7F || base::invisible(character.point)) {
    const auto point = static_cast<uint32_t>(character.point);
    out += point > 0xFFFF ? fmt::format("\\U{:08x}", point) : fmt::format("\\u{:04x}", point);
  } else {
    out += text.substr(0, character.length);
  }
}

}  // namespace

bool Config::baseline() const {
  const bool lists = select || ignore || require || baselines || ports || udp_ports || vxlan_ports ||
                     geneve_ports || !severity.empty();
  return !lists && !profile && !fail_on && !strict && !strict_baseline && !checksums && !settle && !skew &&
         !answer_within;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const base::Utf8 character = base::utf8(text);
    put_character(out, character, text);
    text.remove_prefix(std::max<size_t>(character.length, 1));
  }
  return out += '"';
}

std::string toml_known(const report::Known& known) {
  std::string out = "[[known]]\n";
  const auto some = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) {
      put_key(out, key, toml_string(value));
    }
  };
  put_key(out, "fingerprint", fmt::format("\"{:016x}\"", known.fingerprint));
  put_key(out, "rule", toml_string(known.rule));
  some("role", known.role);
  if (known.version != 0) {
    put_key(out, "version", std::to_string(known.version));
  }
  some("op", known.op);
  some("shape", known.shape);
  if (known.at_most) {
    put_key(out, "at_most", std::to_string(*known.at_most));
  }
  put_key(out, "reason", toml_string(known.reason));
  return out;
}

std::string toml(const Config& config) {
  std::string out;
  put_text(out, "profile", config.profile);
  put_flag(out, "strict", config.strict);
  put_text(out, "fail-on", config.fail_on);
  put_words(out, "select", config.select);
  put_words(out, "ignore", config.ignore);
  put_words(out, "require", config.require);
  put_words(out, "baselines", config.baselines);
  put_flag(out, "strict-baseline", config.strict_baseline);
  put_ports(out, "ports", config.ports);
  put_ports(out, "udp-ports", config.udp_ports);
  put_ports(out, "vxlan-ports", config.vxlan_ports);
  put_ports(out, "geneve-ports", config.geneve_ports);
  put_flag(out, "checksums", config.checksums);
  put_seconds(out, "settle", config.settle);
  put_seconds(out, "skew", config.skew);
  put_seconds(out, "answer-within", config.answer_within);
  out += config.severity.empty() ? "" : "\n[severity]\n";
  for (const auto& [word, severity] : config.severity) {
    put_key(out, toml_string(word), toml_string(severity ? report::name(*severity) : "off"));
  }
  for (const report::Known& known : config.known) {
    out += "\n" + toml_known(known);
  }
  return out;
}

std::optional<rules::Severity> severity_named(std::string_view word) {
  const auto* const found = std::find_if(kSeverities.begin(), kSeverities.end(),
                                         [&](rules::Severity one) { return report::name(one) == word; });
  return found == kSeverities.end() ? std::nullopt : std::optional(*found);
}

}  // namespace steertag::host
