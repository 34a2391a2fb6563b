// Expert infos of findings, one for each rule and severity, so that Wireshark's window of expert infos groups
// findings by rule: rpcrdma.rule.crd_04, rpcrdma.rule.crd_04.possible.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>

#include "fields.h"
#include "rules/catalog.h"

namespace steertag::plugin {
namespace {

using rules::Severity;

// As a finding may be shown; `possible` in place of any severity.
enum class Shown : uint8_t { error, warning, note, possible };
constexpr size_t kShown = 4;
constexpr size_t kMostRules = 256;

Shown shown(Severity severity) {
  return severity == Severity::error     ? Shown::error
         : severity == Severity::warning ? Shown::warning
                                         : Shown::note;
}

// Wireshark keeps the addresses of all of it. They are registered outside of any fence, so it takes no memory
// that may not be there.
struct RuleInfo {
  std::array<char, 48> name = {};
  std::array<char, 96> summary = {};
  expert_field field = EI_INIT;
};
std::array<RuleInfo, kMostRules * kShown> rule_infos;  // in the order of the catalog
std::array<ei_register_info, kMostRules * kShown> registered;

void prepare(const rules::Rule& rule, Shown as, RuleInfo& info, ei_register_info& into) {
  static constexpr std::array<const char*, kShown> kSuffix = {".error", ".warning", ".note", ".possible"};
  static constexpr std::array<int, kShown> kSeverity = {PI_ERROR, PI_WARN, PI_NOTE, PI_CHAT};
  const auto place = static_cast<size_t>(as);
  g_snprintf(info.name.data(), info.name.size(), "rpcrdma.rule.%.*s%s", static_cast<int>(rule.id.size()),
             rule.id.data(), as == shown(rule.severity) ? "" : kSuffix[place]);
  for (char& letter : info.name) {
    letter = letter == '-' ? '_' : g_ascii_tolower(letter);
  }
  g_snprintf(info.summary.data(), info.summary.size(), "%.*s %.*s%s", static_cast<int>(rule.id.size()),
             rule.id.data(), static_cast<int>(rule.name.size()), rule.name.data(),
             as == Shown::possible ? ", possibly" : "");
  into = {&info.field, {info.name.data(), PI_PROTOCOL, kSeverity[place], info.summary.data(), EXPFILL}};
}

}  // namespace

void register_rule_infos(expert_module_t* module) {
  size_t count = 0;
  for (const rules::Rule* const rule : rules::catalog()) {
    g_assert(count + kShown <= rule_infos.size());
    for (const Shown as : {Shown::error, Shown::warning, Shown::note, Shown::possible}) {
      prepare(*rule, as, rule_infos[count], registered[count]);
      ++count;
    }
  }
  expert_register_field_array(module, registered.data(), static_cast<int>(count));
}

expert_field* info_of(const rules::Rule& rule, Severity severity, bool doubtful) {
  const auto catalog = rules::catalog();
  const auto place = static_cast<size_t>(std::find(catalog.begin(), catalog.end(), &rule) - catalog.begin());
  return &rule_infos[place * kShown + static_cast<size_t>(doubtful ? Shown::possible : shown(severity))]
              .field;
}

}  // namespace steertag::plugin
