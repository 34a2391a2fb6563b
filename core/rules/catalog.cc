#include "rules/catalog.h"

#include <algorithm>
#include <string>

#include "base/embedded.h"
#include "base/fold_case.h"

namespace steertag::rules {
namespace {

const Rule* const all[] = {
#define RULE(name) &name,
#include "rules/catalog.def"
#undef RULE
};

}  // namespace

std::span<const Rule* const> catalog() {
  return all;
}

std::string_view family(const Rule& rule) {
  return rule.id.substr(0, rule.id.find('-'));
}

bool meant(const Rule& rule, std::string_view word) {
  const std::string_view names[] = {rule.id, rule.name, family(rule)};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view name) { return base::same_in_any_case(name, word); });
}

bool known(std::string_view word) {
  return std::any_of(std::begin(all), std::end(all), [&](const Rule* rule) { return meant(*rule, word); });
}

std::string_view page(const Rule& rule) {
  return base::embedded(std::string(rule.id) + ".md");
}

}  // namespace steertag::rules
