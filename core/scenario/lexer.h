// lex(): the text of a scenario as lines of terms. A term is a word, a
// `name=value` or a `name(terms...)`; a `#` at the start of a word opens a comment, and
// `#!` an expectation. What the words mean is the parser's business.
//
//   a.client> call nfs3 READ write(@data 4096 4096) xid=1   #! CHK-02
//   ^ actor   ^ positional terms ^ group            ^ value  ^ expectation
//
// Views in the result point into the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"

namespace steertag::scenario {

struct Term {
  std::string_view name;
  std::optional<std::string_view> value;  // name=value
  bool group = false;                     // name(...), also name()
  std::vector<Term> arguments;            // of a group
};

struct Line {
  uint32_t number = 0;     // 1-based
  size_t size = 0;         // bytes of its text
  std::string_view actor;  // before '>'; empty for a line about the scenario as a whole
  std::vector<Term> terms;
  std::string_view expectation;  // after "#!", trimmed
};

// Lines without terms and expectation are omitted. Fails on unbalanced
// parentheses and on groups nested deeper than anything needs.
std::optional<Error> lex(std::string_view text, std::vector<Line>& into);

}  // namespace steertag::scenario
