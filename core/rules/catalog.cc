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

// Takes the paragraph that a text begins with, a sentence, without its full stop.
std::string_view take_sentence(std::string_view& text) {
  constexpr std::string_view kEnd = ".\n\n";
  const size_t end = std::min(text.find(kEnd), text.size());
  const std::string_view sentence = text.substr(0, end);
  text.remove_prefix(std::min(end + kEnd.size(), text.size()));
  return sentence;
}

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

Page page(const Rule& rule) {
  constexpr std::string_view kWhy = "Why: ";
  std::string_view text = base::embedded(std::string(rule.id) + ".md");
  const std::string_view requirement = take_sentence(text), why = take_sentence(text);
  return {requirement, why.starts_with(kWhy) ? why.substr(kWhy.size()) : std::string_view(), text};
}

}  // namespace steertag::rules
