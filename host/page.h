// The page of steertag report, as build_page.py (in report/) has put it together.
// It is an HTML document around a place for records, which stand there as Packed
// writes them.
#pragma once

#include <string_view>

namespace steertag::host {

std::string_view page_before_records();
std::string_view page_behind_records();

}  // namespace steertag::host
