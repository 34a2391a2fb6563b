#include "rules/catalog.h"

#include <algorithm>

namespace steertag::rules {

namespace {

const Rule* const all[] = {
#define RULE(name) &name,
#include "rules/catalog.def"
#undef RULE
};

// Ids, families and names are ASCII; in which case they are asked for is nobody's business.
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

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
  const std::string_view names[] = {rule.id, rule.name, rule.id.substr(0, rule.id.find('-'))};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return std::equal(name.begin(), name.end(), word.begin(), word.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
  });
}

bool known(std::string_view word) {
  return std::any_of(std::begin(all), std::end(all), [&](const Rule* rule) { return meant(*rule, word); });
}

}  // namespace steertag::rules
