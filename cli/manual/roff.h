// Text for roff, the language of manual pages: whatever a text contains, the page shows it so, and a hyphen
// is the character that a shell takes. Characters beyond ASCII are written by their number, which groff and
// mandoc read alike, in any locale.
#pragma once

#include <string>
#include <string_view>

namespace steertag::manual {

std::string roff(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);
// A line that stays as it is: no request, though it begins with a dot.
std::string roff_line(std::string_view text);
// Text that is filled, in lines of a bearable length.
std::string roff_text(std::string_view text);

}  // namespace steertag::manual
