// The catalog: every rule there is, in the order of catalog.def, and how users
// name them: by id ("INV-03"), by family ("INV"), by what they find. The rules'
// pages, the .md files beside them, are compiled in.
#pragma once

#include <span>
#include <string_view>

#include "rules/rule.h"

namespace steertag::rules {

std::span<const Rule* const> catalog();

// "INV" of INV-03.
std::string_view family(const Rule& rule);
// Whether `rule` is meant by "INV-03", "INV" or "misaligned-read-position".
bool meant(const Rule& rule, std::string_view word);
// Whether any rule is meant by `word`.
bool known(std::string_view word);

// The rule's page is in three parts: what is required, in one sentence, and why that matters, both without
// their full stops; and the rest of it: what does not trigger it, scenarios that break it and that keep it.
// Markdown.
struct Page {
  std::string_view requirement, why, rest;
};
Page page(const Rule& rule);

}  // namespace steertag::rules
