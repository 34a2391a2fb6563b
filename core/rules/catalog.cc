#include "rules/catalog.h"

#include <algorithm>

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

const Rule* find(std::string_view id) {
  const auto* found =
      std::find_if(std::begin(all), std::end(all), [&](const Rule* r) { return r->id == id; });
  return found == std::end(all) ? nullptr : *found;
}

bool meant(const Rule& rule, std::string_view word) {
  return rule.id == word || rule.name == word || rule.id.substr(0, rule.id.find('-')) == word;
}

bool known(std::string_view word) {
  return std::any_of(std::begin(all), std::end(all), [&](const Rule* rule) { return meant(*rule, word); });
}

}  // namespace steertag::rules
