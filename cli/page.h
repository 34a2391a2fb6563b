// The page of steertag report, as build_page.py (in report/) has put it together: an HTML document around a
// place for records. escape_records() makes sure that no byte of them ends the element they stand in.
#pragma once

#include <string_view>

#include "report/buffer.h"

namespace steertag::cli {

std::string_view page_before_records();
std::string_view page_behind_records();

// Appends JSON Lines to `out` with every <, >, &, U+2028 and U+2029 as \u003c: in JSON they occur only inside
// of text.
void escape_records(std::string_view records, report::Buffer& out);

}  // namespace steertag::cli
