// The page of a rule, as people read it: paragraphs wrapped, headings, scenarios indented, with what a line
// must be reported as in words beside it. The page itself (core/rules/*/*.md) is Markdown, whose fences and
// `#!` are for the tests.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/buffer.h"
#include "report/palette.h"

namespace steertag::report {

void put_rule_page(Buffer& out, std::string_view page, size_t width, const Palette& palette);

// What is behind "#!", in words: "must report CHK-02 (error, definite): "Position 90"".
std::string expectation_words(std::string_view expectation);

}  // namespace steertag::report
